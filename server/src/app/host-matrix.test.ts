// Codes of one host never answer on another: every host in every spelling, asked for every code,
// after every change, by a front that runs and by one that was just started.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, request as httpRequest, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { codeKey } from '@everscan/contract/resources/short-codes.ts'
import { createQrCode, updateQrCode } from '../catalogue/codes/qr-codes.ts'
import { deleteQrCode } from '../catalogue/codes/qr-code-deletion.ts'
import { applyLook } from '../catalogue/domains/domain-proofs.ts'
import { createDomain, deleteDomain, updateDomain, type DomainRow } from '../catalogue/domains/domains.ts'
import { someOrganization, someOrigin, someQrCode } from '../catalogue/testing/catalogue.ts'
import type { Database } from '../db/database.ts'
import { openChangeFeed } from '../db/feeds/changes.ts'
import { openHostLookup } from '../db/scans/host-lookup.ts'
import { openScanLookup } from '../db/scans/scan-lookup.ts'
import { proofName } from '../dns-looks.ts'
import { forEachDatabase, silentLog as log } from '../db/testing/databases.ts'
import { openJournal } from '../journal/journal.ts'
import { createTrustedProxies } from '../scan/client-address.ts'
import { Forward } from '../scan/forward.ts'
import { createFront } from '../scan/front.ts'
import { Hosts } from '../scan/hosts/hosts.ts'
import { OpenConnections } from '../scan/open-connections.ts'
import { RecentCache } from '../scan/recent-cache.ts'
import { startResolver } from '../scan/resolve.ts'
import { ScanTimes } from '../scan/scan-times.ts'
import { noGuards } from '../scan/testing/guards.ts'
import { noSources } from '../scan/testing/sources.ts'
import { createVisitorHash } from '../scan/visitor.ts'

const publicHost = 'qr.example.com'
const origin = someOrigin
let clockMs = 1_700_000_000_000
const change = () => ({ origin, nowMs: (clockMs += 1_000) })

/** The hosts of the matrix; the empty name stands for PUBLIC_URL. */
const hostnames = ['go.example.com', 'xn--bcher-kva.example', 'old.example.org', 'wait.example.net']
/** Codes that exist on every host. */
const shortCodes = ['MENU', 'Spring-2026', 'abcd']
/** Codes that every host is asked for. */
const asked = [...shortCodes, 'moved', 'NEVER']

/** Ways to write a host name in the header. */
const spellings = (hostname: string): string[] => [
  hostname,
  hostname.toUpperCase(),
  `${hostname}.`,
  `${hostname}:8443`,
  `${hostname.toUpperCase()}.:80`,
  ...(hostname === 'xn--bcher-kva.example'
    ? [Buffer.from('bücher.example').toString('latin1'), Buffer.from('BÜCHER.example').toString('latin1')]
    : []),
]
/** Names that stand for PUBLIC_URL. */
const others = [
  ...spellings(publicHost),
  '127.0.0.1',
  '127.0.0.1:3000',
  '[::1]',
  '[2001:db8::1]:8080',
  'localhost',
  'unknown.example.com',
  'go.example.com.evil.example',
  'xgo.example.com',
  'example.com',
  'not a host',
]

/** The expected answers: whether a host is answered, and where its codes lead. */
type Model = {
  /** Host names that are or were a domain; true: served. */
  hosts: Map<string, boolean>
  /** Destinations by key; null: gone. */
  codes: Map<string, string | null>
}

async function startFront(db: Database, { isStrict = false } = {}) {
  const dir = mkdtempSync(join(tmpdir(), 'everscan-hosts-'))
  const lookup = openScanLookup(db)
  const hostLookup = openHostLookup(db)
  const changes = openChangeFeed(db)
  const hosts = new Hosts({ lookup: hostLookup, publicHost, isStrict })
  const resolver = startResolver({ lookup: lookup.lookup, changes, hosts, log, pollMs: 1_000_000 })
  await resolver.catchUp()
  const journal = openJournal({ dir: join(dir, 'journal'), sync: 'interval', bytesMax: 1 << 30 })
  const trustedProxies = createTrustedProxies(['127.0.0.1'])
  const forward = new Forward({ socketPaths: [], beforeChangeAnswer: async () => undefined })
  const front = createFront({
    scan: {
      resolver,
      journal,
      visitorHash: createVisitorHash('s'.repeat(32)),
      trustedProxies,
      times: new ScanTimes(),
      sources: noSources(),
      visits: new RecentCache<true>(1),
      siteHeaders: [],
      ...noGuards(),
      hosts,
      publicHost,
    },
    forward,
    ownPaths: { '/healthz': (_request, response) => void response.end('ok') },
    connections: new OpenConnections({ connectionsMax: 100, trustedProxies }),
    log,
  })
  front.listen(0, '127.0.0.1')
  await once(front, 'listening')
  const { port } = front.address() as AddressInfo
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  return {
    catchUp: () => resolver.catchUp(),
    ask: async (path: string, headers: Record<string, string>, method = 'GET') => {
      const sent = httpRequest({ port, host: '127.0.0.1', path, headers, method, agent })
      sent.end()
      const [answer] = (await once(sent, 'response')) as [IncomingMessage]
      answer.resume()
      await once(answer, 'end')
      return { status: answer.statusCode ?? 0, location: answer.headers.location }
    },
    close: async () => {
      agent.destroy()
      front.closeAllConnections()
      front.close()
      forward.close()
      resolver.close()
      await journal.close()
      await changes.close()
      await lookup.close()
      await hostLookup.close()
      rmSync(dir, { recursive: true })
    },
  }
}
type Front = Awaited<ReturnType<typeof startFront>>

/** Asks every host in every spelling for every code. Returns how many answers there were. */
async function checkMatrix(front: Front, { hosts, codes }: Model): Promise<number> {
  let answers = 0
  const check = async (headers: Record<string, string>, domain: string) => {
    for (const shortCode of asked) {
      const known = codes.get(codeKey({ shortCode, domain }))
      const isServed = domain === '' || hosts.get(domain) === true
      const expected = !isServed || known === undefined ? 404 : known === null ? 410 : 302
      const { status, location } = await front.ask(`/${shortCode}`, headers)
      const what = `${JSON.stringify(headers)} /${shortCode}`
      assert.equal(status, expected, what)
      assert.equal(location, expected === 302 ? known : undefined, what)
      answers++
    }
  }
  for (const host of others) await check({ host }, '')
  for (const hostname of hostnames)
    for (const host of spellings(hostname)) {
      const domain = hosts.has(hostname) ? hostname : ''
      await check({ host }, domain)
      // The proxy is trusted: it says for whom it asks.
      await check({ host: publicHost, 'x-forwarded-host': host }, domain)
    }
  return answers
}

/** The look at the DNS that finds these proofs. */
const lookOf = (hostname: string, proofs: readonly string[]) => ({
  look: { found: proofs.map((value) => ({ type: 'TXT', name: proofName(hostname), value })) },
  nowMs: (clockMs += 1_000),
})

forEachDatabase('hosts and codes', (open) => {
  test('codes of one host never answer on another, after changes and restarts', async () => {
    const db = await open()
    const { id: one } = await someOrganization(db, 'One')
    const { id: other } = await someOrganization(db, 'Other')
    const model: Model = { hosts: new Map(), codes: new Map() }
    const running = await startFront(db)
    const check = async (): Promise<void> => {
      await running.catchUp()
      assert.ok((await checkMatrix(running, model)) > 100)
      const started = await startFront(db)
      await checkMatrix(started, model)
      await started.close()
    }
    const make = async (organizationId: string, domain?: DomainRow) => {
      for (const shortCode of shortCodes) {
        const url = `https://example.com/${domain?.hostname ?? 'public'}/${shortCode}`
        const data = { url }
        await createQrCode(db, organizationId, someQrCode({ shortCode, domain, data }))
        model.codes.set(codeKey({ shortCode, domain: domain?.hostname ?? '' }), url)
      }
    }
    try {
      await make(one)
      await check()

      const added: DomainRow[] = []
      for (const hostname of hostnames) {
        added.push(await createDomain(db, one, { hostname, fields: {}, ...change() }))
        model.hosts.set(hostname, false)
      }
      await check()

      const [go, books, old] = added as [DomainRow, DomainRow, DomainRow, DomainRow]
      for (const domain of [go, books, old]) {
        assert.equal(
          (await applyLook(db, domain.hostname, lookOf(domain.hostname, [domain.proof]))).length,
          1,
        )
        model.hosts.set(domain.hostname, true)
        await make(one, domain)
      }
      await check()

      // A code of one host is changed, and one of another is deleted.
      const moved = await createQrCode(db, one, someQrCode({ shortCode: 'moved', domain: go }))
      const key = { organizationId: one, id: moved.id }
      await updateQrCode(db, key, { ...change(), data: { url: 'https://example.com/elsewhere' } })
      model.codes.set('go.example.com/M0VED', 'https://example.com/elsewhere')
      await check()
      await deleteQrCode(db, key, change())
      model.codes.set('go.example.com/M0VED', null)
      await check()

      // Another organization claims a host. It gets it when only its own proof is there, and the
      // codes of the first go on answering.
      const claim = await createDomain(db, other, { hostname: go.hostname, fields: {}, ...change() })
      assert.equal((await applyLook(db, go.hostname, lookOf(go.hostname, [go.proof, claim.proof]))).length, 0)
      assert.equal((await applyLook(db, go.hostname, lookOf(go.hostname, [claim.proof]))).length, 2)
      await assert.rejects(createQrCode(db, other, someQrCode({ shortCode: 'menu', domain: claim })), {
        status: 409,
      })
      await check()

      // A removed host answers nothing any more, also for the next organization's codes.
      await assert.rejects(deleteDomain(db, { organizationId: one, id: old.id }, change()), { status: 409 })
      for (const row of await db.kysely
        .selectFrom('qr_codes')
        .select('id')
        .where('domain_id', '=', old.id)
        .execute()) {
        await updateQrCode(db, { organizationId: one, id: row.id }, { ...change(), status: 'ARCHIVED' })
      }
      await deleteDomain(db, { organizationId: one, id: old.id }, change())
      model.hosts.set(old.hostname, false)
      await check()
      const next = await createDomain(db, other, { hostname: old.hostname, fields: {}, ...change() })
      await applyLook(db, old.hostname, lookOf(old.hostname, [next.proof]))
      model.hosts.set(old.hostname, true)
      for (const shortCode of shortCodes) model.codes.set(codeKey({ shortCode, domain: old.hostname }), null)
      await check()

      // A host that was never proved is forgotten with its last claim.
      const wait = added[3] as DomainRow
      await deleteDomain(db, { organizationId: one, id: wait.id }, change())
      model.hosts.delete(wait.hostname)
      await check()
    } finally {
      await running.close()
    }
  })

  test('a host leads elsewhere for what it does not have, and has no API', async () => {
    const db = await open()
    const { id: organizationId } = await someOrganization(db)
    const hostname = 'go.example.com'
    const domain = await createDomain(db, organizationId, { hostname, fields: {}, ...change() })
    await applyLook(db, hostname, lookOf(hostname, [domain.proof]))
    const gone = await createQrCode(db, organizationId, someQrCode({ shortCode: 'GONE', domain }))
    await deleteQrCode(db, { organizationId, id: gone.id }, change())
    const front = await startFront(db)
    const strict = await startFront(db, { isStrict: true })
    const statusOf = async (path: string, method?: string) =>
      (await front.ask(path, { host: hostname }, method)).status
    try {
      assert.equal(await statusOf('/'), 200)
      for (const path of ['/api/v1/openapi.json', '/app', '/healthz', '/docs', '/a/b/c', '/GONE.txt'])
        assert.equal(await statusOf(path), 404, path)
      assert.equal(await statusOf('/api/v1/account', 'POST'), 405)
      // These are the API's, which is not running here.
      for (const path of ['/robots.txt', '/favicon.ico', '/.well-known/security.txt'])
        assert.equal(await statusOf(path), 503, path)
      const fields = {
        rootUrl: 'https://example.com/',
        notFoundUrl: 'https://example.com/unknown',
        goneUrl: 'https://example.com/gone',
      }
      await updateDomain(db, { organizationId, id: domain.id }, { fields, ...change() })
      await front.catchUp()
      for (const [path, location] of [
        ['/', fields.rootUrl],
        ['/?utm=1', fields.rootUrl],
        ['/NEVER', fields.notFoundUrl],
        ['/NEVER.vcf', fields.notFoundUrl],
        ['/api/v1/openapi.json', fields.notFoundUrl],
        ['/GONE', fields.goneUrl],
        ['/GONE.vcf', fields.goneUrl],
      ] as const)
        assert.deepEqual(await front.ask(path, { host: hostname }), { status: 302, location }, path)
      for (const host of ['unknown.example.com', '127.0.0.1'])
        assert.deepEqual(
          [(await strict.ask('/NEVER', { host })).status, (await strict.ask('/healthz', { host })).status],
          [404, 200],
          host,
        )
      assert.equal((await strict.ask('/app', { host: 'unknown.example.com' })).status, 404)
      assert.equal((await strict.ask('/app', { host: 'QR.example.com' })).status, 503)
    } finally {
      await front.close()
      await strict.close()
    }
  })
})
