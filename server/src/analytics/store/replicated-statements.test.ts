import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { replicatedCalls } from '../testing/store-calls.ts'
import { tablesWithKeeper } from '../testing/keeper-engine.ts'
import { knownColumnsOf, startTestStore } from '../testing/store.ts'
import { createStaging, deleteLostFirstScans } from '../insert/put-back.ts'
import { removeDoubledRows } from '../insert/doubled-rows.ts'
import { insertBatch } from '../insert/insert.ts'
import { blockOf, randomScans } from '../testing/scan-rows.ts'
import { randomFrom } from '@everscan/contract/testing/random.ts'
import { emptyScanStore } from './empty-store.ts'
import { migrateScanStore } from './migrations.ts'
import { replicatedStatement } from './replicated-statements.ts'
import { rewriteStore } from './rewrites.ts'
import { claimStore } from './store-identity.ts'

const { store, remove } = await startTestStore({ schema: 'none' })
after(remove)

/** Every statement without rows that a store of scans gets. */
const statements: string[] = []

before(async () => {
  const calls = replicatedCalls(store)
  const recording: typeof calls = {
    ...calls,
    command: async (sql, params, options) => {
      statements.push(sql)
      await store.command(sql, params, options)
    },
  }
  const identity = { installation: 'ins_1', store: 'sto_1' }
  await claimStore(recording, identity)
  const [fromMs, toMs] = [Date.UTC(2026, 2, 1), Date.UTC(2026, 2, 2)]
  const rows = randomScans(randomFrom(1), { organizationId: 'org_1', rows: 20, fromMs, toMs })
  await migrateScanStore(recording, 1)
  await insertBatch(await knownColumnsOf(store), blockOf('bat_0', rows))
  await migrateScanStore(recording)
  await store.command('alter table scans add projection by_city (select city, count() group by city)')
  await rewriteStore(recording, { signal: new AbortController().signal, pollMs: 20 })
  await insertBatch(store, blockOf('bat_1', rows))
  const staging = await createStaging(recording, 'one')
  await staging.putBack(0)
  await staging.drop()
  const stretch = { writer: rows[0]?.writer ?? '', days: [20_513], exceptBatchIds: [] }
  await removeDoubledRows(recording, stretch, { name: 'two', notBeforeMs: 0 })
  await deleteLostFirstScans(recording, [20_513])
  await emptyScanStore(recording, identity.store)
})

const creates = (sql: string) => /\bcreate (table|materialized view)\b/.test(sql)
const changesViews = (sql: string) => /\balter table \w+ modify query\b/.test(sql)
const drops = (sql: string) => /\bdrop table\b/.test(sql)

it('every statement is one that ClickHouse can read, with and without a cluster', async () => {
  assert.ok(statements.length > 35, String(statements.length))
  for (const onCluster of [undefined, 'prod', 'my `own`'])
    for (const sql of statements) {
      const replicated = replicatedStatement(sql, onCluster)
      const [row] = await store.select<{ text: string }>('select formatQuery({sql:String}) as text', {
        sql: replicated.replaceAll(/\{\w+:[^}]+\}/g, "['1']"),
      })
      const text = row?.text ?? ''
      assert.equal(/\bENGINE = (Aggregating)?MergeTree\b/.test(text), false, text)
      if (creates(sql) || drops(sql) || changesViews(sql))
        assert.equal(/ON CLUSTER/.test(text), onCluster !== undefined, text)
      else assert.equal(replicated, sql)
    }
})

it('every table is replicated and remembers its tokens', () => {
  const tables = statements.filter((sql) => /\bcreate table\b/.test(sql))
  assert.ok(tables.length >= 7)
  for (const sql of tables)
    assert.match(replicatedStatement(sql, 'prod'), /engine = Replicated(Aggregating)?MergeTree/)
  const scans = tables.find((sql) => /not exists scans \(/.test(sql)) ?? ''
  assert.match(replicatedStatement(scans, undefined), /\breplicated_deduplication_window = 100000\b/)
  assert.doesNotMatch(replicatedStatement(scans, undefined), /non_replicated/)
})

it('no table is filled while it is created, and no deletion asks another table', () => {
  for (const sql of statements.map((one) => replicatedStatement(one, undefined))) {
    if (/\bcreate table\b/.test(sql)) assert.doesNotMatch(sql, /(?<!empty )\bas select\b/)
    if (/\bdelete (from|where)\b/.test(sql)) assert.doesNotMatch(sql, /\bselect\b/, sql)
  }
})

it('the engine creates the replicated tables, with a Keeper for tests', async () => {
  const tables = statements.filter(creates).map((sql) => replicatedStatement(sql, undefined))
  assert.deepEqual(await tablesWithKeeper(tables), [
    'doubled_rows_two ReplicatedMergeTree',
    'first_scans ReplicatedAggregatingMergeTree',
    'first_scans_feed MaterializedView',
    'installation ReplicatedMergeTree',
    'kept_rows_one ReplicatedMergeTree',
    'scans ReplicatedMergeTree',
    'schema_versions ReplicatedMergeTree',
    'selected_codes ReplicatedMergeTree',
  ])
})
