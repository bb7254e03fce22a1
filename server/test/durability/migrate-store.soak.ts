// A large installation moves to servers while the command is killed again and again: the figures
// that the API shows before and after are equal.
import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { seededRandom, pick } from '@everscan/contract/testing/random.ts'
import type { ClickHouse } from '../../src/analytics/store/clickhouse.ts'
import { createQrCodes } from '../../src/catalogue/codes/qr-codes.ts'
import { someQrCode } from '../../src/catalogue/testing/catalogue.ts'
import type { Database } from '../../src/db/database.ts'
import { openDatabase } from '../../src/db/open-database.ts'
import { silentLog, testPostgres } from '../../src/db/testing/databases.ts'
import { startStoreServer } from '../support/scan-store-server.ts'
import { startService, type Service } from '../support/service.ts'
import { fillStore } from '../support/filled-store.ts'

const codes = Number(process.env['CODES'] ?? 100_000)
const hits = Number(process.env['SCANS'] ?? 5_000_000)
const kills = 10
const comparedCodes = 200
const writer = 'f'.repeat(32)
const random = seededRandom()
const main = join(import.meta.dirname, '..', '..', 'src', 'main.mjs')
const dataDir = mkdtempSync(join(tmpdir(), 'everscan-move-'))
const shared = { DATA_DIR: dataDir, RATE_LIMIT_PER_MINUTE: '0' }
let running: Service | undefined
after(async () => {
  await running?.remove()
})

test(`${codes} codes and ${hits} scans, killed ${kills} times: equal figures before and after`, async (t) => {
  let service = await startService(shared)
  running = service
  const [organization] = await service.client().organizations.listMine()
  const orgId = organization?.id ?? ''
  await service.stop()
  const ids = await fill(orgId)
  const compared = Array.from({ length: comparedCodes }, () => pick(random, ids))

  service = running = await startService({ ...shared, BOOTSTRAP_API_KEY: service.apiKey })
  const before = await figuresOf(service, orgId, compared)
  assert.ok(before.organization.totalScans > hits / 2)

  const clickhouse = await startStoreServer({ schema: 'none' })
  after(clickhouse.stop)
  const servers = {
    DATABASE_URL: await (await testPostgres()).createDatabase(),
    CLICKHOUSE_URL: clickhouse.url,
  }
  const env = { ...process.env, ...shared, ...servers }
  let killed = 0
  const killedAfter = async (ms: number, ...words: string[]): Promise<void> => {
    const child = spawn(process.execPath, [main, 'migrate-store', ...words], { env, stdio: 'ignore' })
    const exited = once(child, 'exit')
    await Promise.race([sleep(ms), exited])
    if (child.exitCode === null) killed++
    child.kill('SIGKILL')
    if (child.exitCode === null) await exited
  }
  for (let kill = 0; kill < kills / 2; kill++)
    await killedAfter(1_000 + random() * 15_000 * (hits / 5_000_000), '--live')
  const run = promisify(execFile)
  const startedMs = performance.now()
  await run(process.execPath, [main, 'migrate-store', '--live', '--json'], { env })
  const liveMs = performance.now() - startedMs
  await service.stop()
  const stoppedMs = performance.now()
  for (let kill = 0; kill < kills / 2; kill++)
    await killedAfter(1_000 + random() * 20_000 * (hits / 5_000_000))
  const lastMs = performance.now()
  const { stdout } = await run(process.execPath, [main, 'migrate-store', '--json'], { env }).catch(
    ({ stdout: text }) => ({ stdout: String(text) }),
  )
  const done = JSON.parse(stdout)
  assert.ok(done.done === true || /already in the database/.test(done.error.message), stdout)
  t.diagnostic(
    `killed ${killed} times; the last --live took ${seconds(liveMs)}, the last stop ${seconds(performance.now() - lastMs)}, ` +
      `all stops with kills ${seconds(performance.now() - stoppedMs)}`,
  )
  assert.ok(killed >= kills - 3, `only ${killed} kills were on the way`)

  service = running = await startService({ ...shared, ...servers, BOOTSTRAP_API_KEY: service.apiKey })
  assert.deepEqual(await figuresOf(service, orgId, compared), before)
})

const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`

async function figuresOf(service: Service, orgId: string, compared: readonly string[]) {
  const client = service.client()
  const period = { startDate: '2025-01-01', endDate: '2025-12-31' }
  const { summary, ...whole } = await client.analytics.ofOrganization(orgId, period)
  const each = []
  for (const id of compared) each.push(await client.qrCodes.analytics(orgId, id, period))
  return { organization: summary, whole: withoutTimes(whole), each: withoutTimes(each) }
}

/** Drops what says when figures were read. */
function withoutTimes(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (key, one) => (key === 'asOf' ? undefined : one)))
}

/** Fills the stopped installation, with everything that the worker would have counted. */
async function fill(orgId: string): Promise<string[]> {
  const db = await openDatabase({ databaseUrl: undefined, dataDir, role: 'writer', log: silentLog })
  const ids = await fillCodes(db, orgId)
  await db.close()
  mkdirSync(join(dataDir, 'run'), { recursive: true })
  await fillStore({ DATA_DIR: dataDir }, (store) => fillScans(store, orgId, ids))
  return ids
}

async function fillCodes(db: Database, orgId: string): Promise<string[]> {
  for (let from = 0; from < codes; from += 500)
    await createQrCodes(
      db,
      orgId,
      Array.from({ length: Math.min(500, codes - from) }, (_, index) =>
        someQrCode({ name: `Code ${from + index}` }),
      ),
    )
  const rows = await db.kysely.selectFrom('qr_codes').select('id').orderBy('id').execute()
  return rows.map(({ id }) => id)
}

async function fillScans(store: ClickHouse, organizationId: string, ids: readonly string[]): Promise<void> {
  await store.command('create table filled (place UInt64, id String) engine = MergeTree order by place')
  await store.insert('filled', ['place', 'id'], [Buffer.from(ids.map((id, at) => `${at}\t${id}\n`).join(''))])
  const step = 250_000
  for (let from = 1; from <= hits; from += step)
    await store.command(
      `insert into scans (organization_id, qr_code_id, time, writer, sequence, visitor, class,
         bot_reason, country, city, region, device_type, os, browser, referrer, language, batch_id)
       select {organizationId:String},
         id,
         fromUnixTimestamp64Milli(toInt64(1735689600000 + cityHash64(number, 1) % 31536000000)),
         {writer:String}, number, toUUID(hex(MD5(toString(cityHash64(number, 2) % 300000)))),
         if(cityHash64(number, 3) % 10 = 0, 'bot', 'human'), if(cityHash64(number, 3) % 10 = 0, 'because', ''),
         ['DE', 'FR', 'US'][1 + number % 3], 'Somewhere', '', 'mobile', ['iOS', 'Android'][1 + number % 2], 'Safari', '', 'de', 'bat_0'
       from (select number, cityHash64(number) % {codes:UInt32} as place from numbers({from:UInt64}, {count:UInt64})) as hits
       inner join filled using (place)`,
      { organizationId, codes: ids.length, writer, from, count: Math.min(step, hits - from + 1) },
      { deadlineMs: 10 * 60_000, settings: { max_partitions_per_insert_block: '0' } },
    )
  await store.command('drop table filled sync')
}
