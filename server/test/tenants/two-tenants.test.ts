import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { startDnsServer, type Zone } from '../../src/api/testing/dns-server.ts'
import { startMailReceiver } from '../../src/api/testing/mail-receiver.ts'
import type { Database } from '../../src/db/database.ts'
import { openDatabase } from '../../src/db/open-database.ts'
import { startPostgres, type TestPostgres } from '../../src/db/testing/postgres.ts'
import { silentLog } from '../../src/db/testing/databases.ts'
import { phones } from '../support/phones.ts'
import { startService, until, type Service } from '../support/service.ts'
import { publicHost, send, signUp, type Stranger } from './callers.ts'
import { openEveryDoor, type Calls } from './open-doors.ts'
import { stateOfVictim } from './victim-state.ts'
import { createVictim, idsOf, type Victim } from './victim.ts'

// Two organizations of one installation. One is a stranger who signed up, and does all that can be
// done with the ids, host names and short codes of the other. Nothing may change for the other, by
// whatever door it comes: the API, a file, an archive, a host name, a mail.

const zone: Zone = {}
const dns = await startDnsServer(zone)
after(() => dns.close())
const mailbox = await startMailReceiver()
const hook = createServer((request, response) => {
  request.resume()
  response.writeHead(204).end()
}).listen(0, '127.0.0.1')
await once(hook, 'listening')
after(() => hook.close())
const hookUrl = `http://127.0.0.1:${(hook.address() as AddressInfo).port}/`

/** In the soak also on PostgreSQL: the cross-organization matrix of the API runs on both always. */
const catalogues = process.env['SOAK'] === '1' ? (['SQLite', 'PostgreSQL'] as const) : (['SQLite'] as const)

for (const catalogue of catalogues)
  describe(`two tenants on ${catalogue}`, { concurrency: 1 }, () => {
    let postgres: TestPostgres | undefined
    let service: Service
    let db: Database
    let victim: Victim
    let stranger: Stranger
    let calls: Calls
    let untouched: Record<string, string>

    const state = () => stateOfVictim(victim, { service, db, mailbox })
    const scan = (host: string, path: string) =>
      send(service, 'GET', path, { host, headers: { 'user-agent': phones[0] } })

    before(async () => {
      if (catalogue === 'PostgreSQL') postgres = await startPostgres()
      const databaseUrl = postgres === undefined ? undefined : await postgres.createDatabase()
      const email = 'ada@victim.example.com'
      service = await startService({
        ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }),
        PUBLIC_URL: `http://${publicHost}`,
        BOOTSTRAP_EMAIL: email,
        BOOTSTRAP_PASSWORD: 'correct horse battery',
        DNS_SERVERS: dns.address,
        SMTP_URL: mailbox.url,
        SIGN_UP: 'open',
        TRUST_PROXY: '127.0.0.1',
        RATE_LIMIT_PER_MINUTE: '0',
        WEBHOOK_ALLOW_PRIVATE: 'true',
      })
      db = await openDatabase({ databaseUrl, dataDir: service.dataDir, role: 'reader', log: silentLog })
      victim = await createVictim(service, { db, zone, email, hookUrl })
      // Both catalogues have one mailbox.
      stranger = await signUp(service, mailbox, `mallory-${catalogue.toLowerCase()}`)
      untouched = await state()
    })
    after(async () => {
      await db.close()
      await service.remove()
      await postgres?.remove()
    })

    test('looking changes nothing', async () => {
      assert.deepEqual(await state(), untouched)
    })

    test('every operation and every file with the words of another reaches nothing of it', async (t) => {
      const own = await idsOf(db, stranger.orgId)
      calls = await openEveryDoor({ service, stranger, own, victim })
      await until('the jobs of the stranger end', async () => (await openJobs(db)) === 0)
      t.diagnostic(JSON.stringify({ ...calls, failures: calls.failures.length }))
      assert.deepEqual(calls.failures, [])
      assert.deepEqual(changes(untouched, await state()), {})
    })

    test('codes of the stranger answer on no host of the other, and use up none of its limits', async () => {
      const codes = await db.kysely
        .selectFrom('short_codes')
        .select('short_code')
        .where('organization_id', '<>', victim.orgId)
        .execute()
      assert.ok(codes.length > 10)
      const theirs = new Set(victim.shortUrls.map(([host, path]) => host + path))
      for (const path of codes.map((row) => `/${encodeURIComponent(row.short_code)}`)) {
        for (let scans = 0; scans < 12; scans++) await scan(publicHost, path)
        if (theirs.has(victim.proved + path)) continue
        const { status, headers } = await scan(victim.proved, path)
        assert.equal(status, 404, `${victim.proved}${path} leads to ${headers.location}`)
      }
    })

    test('a limit opens as often as it would have', async () => {
      const answers = []
      for (let scans = 0; scans < 9; scans++)
        answers.push((await scan(publicHost, victim.limited.path)).status)
      assert.deepEqual(answers, [...Array<number>(7).fill(302), 410, 410])
    })

    test('a host that it had only claimed is still its own to prove, in the form that it chooses', async () => {
      const { client, orgId, claimedId, claimed } = victim
      const domain = await client.domains.read(orgId, claimedId)
      await client.domains.update(orgId, claimedId, { codes: 'exact' })
      zone[domain.verification.name] = { TXT: [domain.verification.value] }
      const { status, codes } = await client.domains.check(orgId, claimedId)
      assert.deepEqual([status, codes], ['ACTIVE', 'exact'])
      const data = { url: 'https://victim.example.com/later' }
      for (const [, path] of victim.shortUrls) {
        const shortCode = path.slice(1)
        const code = { type: 'URL', name: 'Later', shortCode, data, domainId: claimedId } as const
        await client.qrCodes.create(orgId, code)
        assert.equal((await scan(claimed, path)).headers.location, data.url)
      }
    })

    test('no organization of the stranger is the operator’s', async () => {
      const cookie = await stranger.signIn()
      const mine = await send(service, 'GET', '/api/v1/users/me/organizations', { headers: { cookie } })
      const { organizations } = JSON.parse(mine.body.toString()) as { organizations: { id: string }[] }
      assert.ok(organizations.length > 1, 'archives were imported')
      for (const { id } of organizations) {
        const { status } = await send(service, 'GET', `/api/v1/organizations/${id}/installation`, {
          headers: { cookie },
        })
        assert.equal(status, 404, id)
      }
    })
  })

/** The entries that differ, as they were and as they are. */
function changes(
  from: Readonly<Record<string, string>>,
  to: Readonly<Record<string, string>>,
): Record<string, [string | undefined, string | undefined]> {
  const names = new Set([...Object.keys(from), ...Object.keys(to)])
  return Object.fromEntries(
    [...names].filter((name) => from[name] !== to[name]).map((name) => [name, [from[name], to[name]]]),
  )
}

async function openJobs(db: Database): Promise<number> {
  const { count } = await db.kysely
    .selectFrom('jobs')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('status', 'in', ['PENDING', 'PROCESSING'])
    .executeTakeFirstOrThrow()
  return count
}
