// Codes of one host never answer on another: every host in every spelling, asked for every code,
// after every change, by a front that runs and by one that was just started.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { codeKey } from '@everscan/contract/resources/short-codes.ts'
import { createQrCode, updateQrCode } from '../../catalogue/codes/qr-codes.ts'
import { deleteQrCode } from '../../catalogue/codes/qr-code-deletion.ts'
import { applyLook } from '../../catalogue/domains/domain-proofs.ts'
import { createDomain, deleteDomain, updateDomain } from '../../catalogue/domains/domains.ts'
import type { DomainRow } from '../../catalogue/rows/domain-row.ts'
import { someOrganization, someQrCode } from '../../catalogue/testing/catalogue.ts'
import { onEitherDatabase } from '../../db/testing/databases.ts'
import { publicHost, someChanges, startHostFront, type HostFront } from './testing/host-fronts.ts'

const { change, lookOf } = someChanges()

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

/** Whether a URL may have a host as it is: other names are encoded there. */
const isAscii = (host: string): boolean => /^[\x21-\x7e]+$/.test(host)

/** The expected answers: whether a host is answered, and where its codes lead. */
type Model = {
  /** Host names that were proved at least once; true: an organization has or had it. */
  hosts: Map<string, boolean>
  /** Destinations by key; null: gone. */
  codes: Map<string, string | null>
}

/** Asks every host in every spelling for every code. Returns how many answers there were. */
async function checkMatrix(front: HostFront, { hosts, codes }: Model): Promise<number> {
  let answers = 0
  const check = async (headers: Record<string, string>, domain: string, site = '') => {
    for (const shortCode of asked) {
      const known = codes.get(codeKey({ shortCode, domain }))
      const isServed = domain === '' || hosts.get(domain) === true
      const expected = !isServed || known === undefined ? 404 : known === null ? 410 : 302
      const { status, location } = await front.ask(`${site}/${shortCode}`, headers)
      const what = `${JSON.stringify(headers)} ${site}/${shortCode}`
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
      // The host of a whole URL counts, whatever the header says.
      if (isAscii(host)) await check({ host: publicHost }, domain, `http://${host}`)
    }
  return answers
}

onEitherDatabase('hosts and codes', (open) => {
  test('codes of one host never answer on another, after changes and restarts', async () => {
    const db = await open()
    const { id: one } = await someOrganization(db, 'One')
    const { id: other } = await someOrganization(db, 'Other')
    const model: Model = { hosts: new Map(), codes: new Map() }
    const running = await startHostFront(db)
    const check = async (): Promise<void> => {
      await running.catchUp()
      assert.ok((await checkMatrix(running, model)) > 100)
      const started = await startHostFront(db)
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
      for (const hostname of hostnames)
        added.push(await createDomain(db, one, { hostname, fields: {}, ...change() }))
      // Claims change nothing for anybody: their names stand for PUBLIC_URL, as before.
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

      // The second removes it: the codes of the first, which has not, still go on.
      await deleteDomain(db, { organizationId: other, id: claim.id }, change())
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
      // The first organization, which removed the host, makes its codes active again: not there.
      for (const { id } of await db.kysely
        .selectFrom('qr_codes')
        .select('id')
        .where('domain_id', '=', old.id)
        .execute())
        await updateQrCode(db, { organizationId: one, id }, { ...change(), status: 'ACTIVE' })
      await check()

      // A claim without a proof goes as it came.
      const wait = added[3] as DomainRow
      await deleteDomain(db, { organizationId: one, id: wait.id }, change())
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
    const front = await startHostFront(db)
    const strict = await startHostFront(db, { isStrict: true })
    const statusOf = async (path: string, method?: string) =>
      (await front.ask(path, { host: hostname }, method)).status
    try {
      assert.equal(await statusOf('/'), 200)
      for (const path of ['/api/v1/openapi.json', '/app', '/metrics', '/docs', '/a/b/c', '/GONE.txt'])
        assert.equal(await statusOf(path), 404, path)
      assert.equal(await statusOf('/healthz'), 200, 'every name says whether the service is up')
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

  test('a claim of the name that a proxy sends leaves everything as it was for all tenants', async () => {
    const db = await open()
    const { id: victim } = await someOrganization(db, 'Victim')
    const { id: stranger } = await someOrganization(db, 'Stranger')
    const hostname = 'everscan.cluster.example'
    const data = { url: 'https://example.com/printed' }
    await createQrCode(db, victim, someQrCode({ shortCode: 'PRINT', data }))
    const front = await startHostFront(db)
    const answers = async () => {
      const paths = ['/PRINT', '/healthz', '/app', '/api/v1/openapi.json', '/robots.txt', '/', '/NEVER']
      const found = []
      for (const path of paths) found.push(await front.ask(path, { host: `${hostname}:3000` }))
      return found
    }
    try {
      const before = await answers()
      assert.deepEqual(before[0], { status: 302, location: data.url })
      const fields = { rootUrl: 'https://stranger.example/', codes: 'exact' } as const
      const claim = await createDomain(db, stranger, { hostname, fields, ...change() })
      await front.catchUp()
      assert.deepEqual(await answers(), before, 'claimed')
      await applyLook(db, hostname, lookOf(hostname, ['everscan=another']))
      await front.catchUp()
      assert.deepEqual(await answers(), before, 'looked at')
      const started = await startHostFront(db)
      assert.deepEqual(await started.ask('/PRINT', { host: hostname }), before[0], 'after a start')
      await started.close()
      // The owner of the name chooses another form of codes, and gets it.
      const owner = { fields: { codes: 'canonical' as const }, hostname }
      const own = await createDomain(db, victim, { ...owner, ...change() })
      await applyLook(db, hostname, lookOf(hostname, [own.proof]))
      await front.catchUp()
      assert.equal((await front.ask('/PRINT', { host: hostname })).status, 404, 'now it is a domain')
      await deleteDomain(db, { organizationId: stranger, id: claim.id }, change())
    } finally {
      await front.close()
    }
  })

  test('a code of the name "healthz" comes before the status on an exact domain', async () => {
    const db = await open()
    const { id: organizationId } = await someOrganization(db)
    const hostname = 'old.example.com'
    const fields = { codes: 'exact' } as const
    const domain = await createDomain(db, organizationId, { hostname, fields, ...change() })
    await applyLook(db, hostname, lookOf(hostname, [domain.proof]))
    await createQrCode(db, organizationId, someQrCode({ shortCode: 'menu', domain }))
    const front = await startHostFront(db)
    try {
      const ask = () => front.ask('/healthz', { host: hostname })
      assert.deepEqual(await ask(), { status: 200, location: undefined })
      const data = { url: 'https://example.com/health' }
      await createQrCode(db, organizationId, someQrCode({ shortCode: 'healthz', domain, data }))
      await front.catchUp()
      assert.deepEqual(await ask(), { status: 302, location: data.url })
    } finally {
      await front.close()
    }
  })
})
