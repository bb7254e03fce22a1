import assert from 'node:assert/strict'
import { after, afterEach, test } from 'node:test'
import { scanStoreSchema } from '../analytics/store/migrations.ts'
import { startTestStore } from '../analytics/testing/store.ts'
import type { Database } from '../db/database.ts'
import { saveIntents } from '../db/scans/ingest-checkpoints.ts'
import { ensureInstallation, updateInstallation } from '../db/installation.ts'
import { setScanDays } from '../db/scans/scan-days.ts'
import { forEachDatabase } from '../db/testing/databases.ts'
import { insertCode } from '../db/testing/codes.ts'
import { checkGroups } from './checks.ts'
import { CannotTell } from './cannot-tell.ts'
import type { DoctorContext } from './context.ts'
import { contextFor, findingOf, scratchDir, textOf } from './testing/doctor.ts'
import { judgeRetention } from './figure-checks.ts'
import { runChecks } from './run-checks.ts'
import {
  judgeMutations,
  judgeStoreDisks,
  judgeStoreVersion,
  judgeTableParts,
  storeChecks,
} from './store-checks.ts'

const dayMs = 86_400_000
const nowMs = Date.UTC(2026, 10, 23)
const day = Math.floor(nowMs / dayMs)
const { store, remove } = await startTestStore()
after(remove)
afterEach(async () => {
  for (const table of ['scans', 'first_scans']) await store.command(`truncate table ${table}`)
})

/** Inserts `count` scans of a code for today, each by a different visitor. */
async function insertScans(qrCodeId: string, count: number, batchId = 'bat_0'): Promise<void> {
  await store.command(
    `insert into scans (organization_id, qr_code_id, time, writer, sequence, visitor, class, batch_id)
     select 'org_1', {qrCodeId:String}, fromUnixTimestamp64Milli({nowMs:Int64}, 'UTC'), 'w', number + 1,
       toUUID(concat('00000000-0000-0000-0000-', leftPad(toString(number), 12, '0'))), 'human', {batchId:String}
     from numbers({count:UInt32})`,
    { qrCodeId, nowMs, count, batchId },
  )
}

async function setCounter(db: Database, id: string, totalScans: number, uniqueScans: number): Promise<void> {
  await db.kysely
    .updateTable('scan_counters')
    .set({ total_scans: totalScans, unique_scans: uniqueScans })
    .where('qr_code_id', '=', id)
    .execute()
}

forEachDatabase('checks of figures', (open) => {
  async function filled(): Promise<{ db: Database; context: DoctorContext }> {
    const db = await open()
    await ensureInstallation(db)
    await updateInstallation(db, { scansCountedAtMs: 1 })
    await insertCode(db, 'org_1', 'qr_1')
    await insertCode(db, 'org_1', 'qr_2')
    await insertScans('qr_1', 5)
    await insertScans('qr_2', 3)
    await setCounter(db, 'qr_1', 5, 5)
    await setCounter(db, 'qr_2', 3, 3)
    await setScanDays(db, [{ writer: 'w', day, hits: 8 }])
    const given = { catalogue: async () => db, store: async () => store, nowMs }
    return { db, context: contextFor({ DATA_DIR: scratchDir() }, given) }
  }

  test('ledger, counters and first scans that agree are ok', async () => {
    const { context } = await filled()
    const group = checkGroups.find(({ title }) => title === 'Figures') ?? assert.fail()
    const results = await runChecks(context, [group], { fix: false })
    assert.deepEqual(
      results.map(({ finding }) => finding.says),
      [
        'the scan store has all hits that the catalogue counted',
        'none',
        'all 2 codes with scans agree with the scan store',
        'the first scans of 2 codes are the earliest of their scans',
        'scans are kept forever',
      ],
    )
  })

  test('ledger differences are reported by day, without open batches; before the first count the state is unknown', async () => {
    const { db, context } = await filled()
    const of = async () => textOf(await findingOf('figures.ledger', context))
    await setScanDays(db, [
      { writer: 'w', day, hits: 10 },
      { writer: 'gone', day: day - 1, hits: 4 },
    ])
    assert.match(
      await of(),
      /^warning: they differ on 2 days: 2026-11-22: 0 in the store, 4 in the catalogue, 2026-11-23: 8 in the store, 10 in the catalogue -> restart the service/,
    )
    await setScanDays(db, [
      { writer: 'w', day, hits: 8 },
      { writer: 'gone', day: day - 1, hits: 0 },
    ])
    await insertScans('qr_1', 2, 'bat_open')
    const place = { segment: 1, offset: 0, sequence: 0 }
    await saveIntents(db, [
      { batchId: 'bat_open', writer: 'w', from: place, to: place, partition: '', rows: 2 },
    ])
    assert.match(await of(), /^ok/)
    await updateInstallation(db, { scansCountedAtMs: null })
    assert.match(await of(), /^unknown: .*not counted yet -> \.\/everscan start/)
  })

  test('counters that differ are reported for each code, in scans or uniques', async () => {
    const { db, context } = await filled()
    await setCounter(db, 'qr_1', 6, 5)
    await setCounter(db, 'qr_2', 3, 2)
    assert.match(
      textOf(await findingOf('figures.counters', context)),
      /^warning: 2 of all 2 codes with scans differ: qr_1 counts 6 \(5 unique\), the store 5 \(5\), qr_2 counts 3 \(2 unique\), the store 3 \(3\) -> restart/,
    )
    await db.kysely.updateTable('scan_counters').set({ uniques_due: 1 }).execute()
    assert.match(
      textOf(await findingOf('figures.counters', context)),
      /^warning: 1 of all 2 codes with scans differ: qr_1/,
      'unique scans that are due may be behind',
    )
  })

  test('first scans that are missing, or that have no scan, are reported', async () => {
    const { context } = await filled()
    await store.command(
      `alter table first_scans delete where qr_code_id = 'qr_1' and time > 0 settings mutations_sync = 1`,
    )
    assert.match(
      textOf(await findingOf('figures.first-scans', context)),
      /^warning: first scans are not the earliest of their scans: qr_1 \(5 visitors\) -> restart/,
    )
    await store.command('truncate table first_scans')
    await store.command('truncate table scans')
    await insertScans('qr_1', 5)
    await store.command('truncate table scans')
    await insertScans('qr_2', 3)
    assert.match(textOf(await findingOf('figures.first-scans', context)), /qr_1 \(5 visitors\) ->/)
  })
})

test('every check of a store that a start created is ok; its clock is read', async () => {
  const context = contextFor(
    { DATA_DIR: scratchDir(), CLICKHOUSE_URL: 'http://127.0.0.1:9/x' },
    { store: async () => store },
  )
  const results = await runChecks(context, [storeChecks], { fix: false })
  for (const { name, finding } of results) assert.equal(finding.state, 'ok', `${name}: ${finding.says}`)
  assert.match((await findingOf('machine.clock', context)).says, /the scan store's clock/)
})

test('a detached part, a table without flushes, a failing mutation and another release are reported', async () => {
  const context = contextFor({ DATA_DIR: scratchDir() }, { store: async () => store })
  const of = async (name: string) => textOf(await findingOf(name, context))
  await insertScans('qr_1', 5)
  const [part] = await store.select<{ name: string }>(
    `select name from system.parts where database = currentDatabase() and table = 'scans' and active`,
  )
  await store.command(`alter table scans detach part '${part?.name}'`)
  assert.match(
    await of('store.detached-parts'),
    /^warning: 1 part \([\d.]+ \w+\).*: scans\/202611_\d+_\d+_0 -> restart the service/,
  )
  await store.command(`alter table scans drop detached part '${part?.name}' settings allow_drop_detached = 1`)

  await store.command('create table careless (a Int8) engine = MergeTree order by a')
  assert.match(
    await of('store.durability'),
    /^warning: .* of careless -> alter table careless modify setting fsync_after_insert = 1/,
  )
  await store.command('drop table careless')

  await insertScans('qr_1', 5)
  await store.command(
    `alter table scans update browser = toString(throwIf(sequence > 0, 'made to fail')) where 1 settings mutations_sync = 0`,
  )
  for (const endMs = Date.now() + 60_000; !(await of('store.mutations')).startsWith('warning');)
    assert.ok(Date.now() < endMs, await of('store.mutations'))
  assert.match(
    await of('store.mutations'),
    /^warning: 1 mutation fails.*made to fail.* -> fix the cause; .*kill mutation/,
  )
  await store.command(`kill mutation where table = 'scans'`)

  await store.insert('schema_versions', ['version', 'name'], [Buffer.from('99\tlater\n')])
  assert.match(
    await of('store.schema'),
    /^failed: a later release upgraded it \(schema 99, .* -> run that release/,
  )
  await store.command(`delete from schema_versions where version in (${scanStoreSchema}, 99)`)
  const behind = /^warning: version (\d+), behind this release's (\d+) \([\w ]+\) -> \.\/everscan upgrade/
  const [, version, ofRelease] = behind.exec(await of('store.schema')) ?? []
  assert.deepEqual([Number(version), Number(ofRelease)], [scanStoreSchema - 1, scanStoreSchema])
  await store.insert('schema_versions', ['version', 'name'], [Buffer.from(`${scanStoreSchema}\tagain\n`)])
})

const away = async () => {
  throw new CannotTell(
    'the ClickHouse server does not answer (ECONNREFUSED)',
    'start it, or correct CLICKHOUSE_URL',
  )
}

test('a store that does not answer fails if it should run, and is unknown if the service is stopped', async () => {
  const env = { DATA_DIR: scratchDir() }
  const server = contextFor({ ...env, CLICKHOUSE_URL: 'http://127.0.0.1:1/x' }, { store: away })
  assert.match(
    textOf(await findingOf('store.answers', server)),
    /^failed: .*scans wait in the journal.* -> start it/,
  )
  assert.equal((await findingOf('store.parts', server)).state, 'unknown')
  assert.equal((await findingOf('store.answers', contextFor(env, { isRunning: true }))).state, 'failed')
  assert.equal((await findingOf('store.answers', contextFor(env))).state, 'unknown')
})

test('each fact is judged, with its remedy', () => {
  assert.match(
    textOf(judgeStoreVersion('24.8.1.1')),
    /^failed: CLICKHOUSE_URL: ClickHouse must be 25\.3 .* -> upgrade the server/,
  )
  assert.match(
    textOf(judgeTableParts([{ table: 'scans', partsMax: 301, rows: 1, bytes: 1 }])),
    /^warning: 1 hit in 1 B, 301 parts.* -> give the scan store/,
  )
  const mutation = { table: 'scans', command: 'x', partsLeft: 2, ageMs: 60_000, problem: '' }
  assert.match(textOf(judgeMutations([mutation])), /^notice: 1 mutation running for 60 s, 2 parts left/)
  assert.equal(judgeMutations([{ ...mutation, ageMs: 7 * 3_600_000 }]).state, 'warning')
  const disk = { name: 'default', freeBytes: 2 ** 30, sizeBytes: 2 ** 40 }
  assert.match(textOf(judgeStoreDisks([disk])), /^failed: 1 GiB of 1 TiB are free on default.* -> free space/)

  assert.match(
    textOf(judgeRetention(undefined, 30, nowMs)),
    /^notice: RETENTION_DAYS is set, and no scans are deleted yet/,
  )
  const done = { beforeMs: nowMs - 30 * dayMs, isDone: true }
  assert.equal(judgeRetention(done, 30, nowMs).state, 'ok')
  assert.match(textOf(judgeRetention(done, 20, nowMs)), /^notice: .* 10 days behind/)
  assert.match(textOf(judgeRetention({ ...done, isDone: false }, 30, nowMs)), /^notice: .*not finished/)
})
