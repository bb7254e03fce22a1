import assert from 'node:assert/strict'
import { after, it } from 'node:test'
import { knownColumnsOf, startTestStore } from '../testing/store.ts'
import { insertBatch } from '../insert/insert.ts'
import { nobody } from './first-scans.ts'
import { migrateScanStore, scanStoreReady, scanStoreSchema } from './migrations.ts'
import { readRewrite, rewriteStore } from './rewrites.ts'
import { readPeriod } from '../figures/period.ts'
import { organizationAnalytics, qrCodeAnalytics } from '../figures/queries.ts'
import {
  referenceAnalytics,
  referenceFigures,
  referenceHits,
  referenceTopQrCodes,
} from '../testing/reference-analytics.ts'
import { blockOf, randomScans } from '../testing/scan-rows.ts'
import { randomFrom } from '@everscan/contract/testing/random.ts'

const { store, remove } = await startTestStore({ schema: 'none' })
after(remove)

const organizationId = 'org_old'
const period = readPeriod({ startDate: '2026-03-01', endDate: '2026-03-31' })
const fromMs = Date.UTC(2026, 2, 1)
const toMs = Date.UTC(2026, 3, 1)

for (let version = 1; version < scanStoreSchema; version++)
  it(`figures are right from the moment that a store of schema ${version} is brought up to date`, async () => {
    await store.createDatabase()
    for (const table of ['first_scans_feed', 'first_scans', 'scans', 'selected_codes', 'schema_versions'])
      await store.command(`drop table if exists ${table} sync`)
    await migrateScanStore(store, version)
    assert.equal(await scanStoreReady(store), false)
    const old = randomScans(randomFrom(version), { organizationId, rows: 2_000, fromMs, toMs })
    for (const [index, rows] of [old.slice(0, 1_200), old.slice(1_200)].entries())
      await insertBatch(await knownColumnsOf(store), blockOf(`bat_old_${index}`, rows))

    const [rules] = await store.select<{ count: number }>(
      `select count() as count from system.columns
       where database = currentDatabase() and table = 'scans' and name = 'rule'`,
    )
    // Scans from before rules were answered by the code's own data.
    const kept = old.map((row) => (rules?.count === 1 ? row : { ...row, rule: '', arm: '' }))
    await migrateScanStore(store)
    await compare(kept)
    // New rows are stored differently from the existing ones and may be merged with them. None is
    // at the time of an old one by another writer: the reference does not know which is first.
    const recent = randomScans(randomFrom(100 + version), { organizationId, rows: 500, fromMs, toMs }).map(
      (row, index) => ({
        ...row,
        timeMs: row.timeMs + 1,
        writer: `${row.writer} later`,
        visitor: index % 10 === 0 ? nobody : row.visitor,
      }),
    )
    await insertBatch(store, blockOf('bat_recent', recent))
    await compare([...kept, ...recent])
    await rewriteStore(store, { signal: new AbortController().signal, pollMs: 20 })
    assert.equal((await readRewrite(store)).rowsLeft, 0)
    await compare([...kept, ...recent])
    for (const table of ['scans', 'first_scans']) await store.command(`optimize table ${table} final`)
    const [row] = await store.select<{ open: number }>(
      'select count() as open from system.mutations where database = currentDatabase() and not is_done',
    )
    assert.equal(row?.open, 0)
    await compare([...kept, ...recent])
  })

it('what is inserted or merged is on the disk before the store says so, in every table, also after all migrations', async () => {
  const rows = await store.select<{ name: string; settings: string }>(
    `select name, engine_full as settings from system.tables
     where database = currentDatabase() and engine like '%MergeTree' order by name`,
  )
  const expected: Readonly<Record<string, readonly string[]>> = {
    first_scans: ['fsync_after_insert', 'fsync_part_directory', 'min_rows_to_fsync_after_merge'],
    scans: ['fsync_after_insert', 'fsync_part_directory', 'min_rows_to_fsync_after_merge'],
    // Merges of this table contain nothing that could not be created again.
    schema_versions: ['fsync_after_insert', 'fsync_part_directory'],
    // Each request that needs a list stores it again if it is gone.
    selected_codes: [],
  }
  assert.deepEqual(
    rows.map(({ name }) => name),
    Object.keys(expected),
  )
  for (const { name, settings } of rows)
    for (const setting of expected[name] ?? [])
      assert.match(settings, new RegExp(`\\b${setting} = 1\\b`), `${name}: ${setting}`)
})

async function compare(scans: ReturnType<typeof randomScans>): Promise<void> {
  const scope = { organizationId, filters: {}, interval: 'day', ...period } as const
  for (const qrCodeId of ['qr_busy', 'qr_quiet', 'qr_never'])
    assert.deepEqual(
      await qrCodeAnalytics(store, { ...scope, qrCodeId, byDestination: true }),
      referenceAnalytics(scans, { ...scope, qrCodeId }),
    )
  const hits = referenceHits(scans, scope)
  const topQrCodes = ['qr_busy']
  assert.deepEqual(await organizationAnalytics(store, { ...scope, topQrCodes }), {
    ...referenceFigures(hits, scope),
    topQrCodes: referenceTopQrCodes(hits, topQrCodes),
  })
}
