import assert from 'node:assert/strict'
import { after, test, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { insertBatch } from '../insert/insert.ts'
import { migrateScanStore, scanStoreSchema } from './migrations.ts'
import { rewriteStore } from './rewrites.ts'
import { blockOf, randomScans } from '../testing/scan-rows.ts'
import { storeCalls } from '../testing/store-calls.ts'
import { randomFrom } from '@everscan/contract/testing/random.ts'
import type { ClickHouse } from './clickhouse.ts'
import { knownColumnsOf, startTestStore } from '../testing/store.ts'

/** A killed engine takes a second to restart. */
const killsMax = process.env['SOAK'] === '1' ? Infinity : 3

const { engine, store, remove } = await startTestStore({ schema: 'none' })
after(remove)

const rows = randomScans(randomFrom(1), {
  organizationId: 'org_old',
  rows: 500,
  fromMs: Date.UTC(2026, 2, 1),
  toMs: Date.UTC(2026, 3, 1),
})

/** Creates the store as the first release left it, with scans. */
async function makeOld(): Promise<void> {
  await store.createDatabase()
  for (const table of ['first_scans_feed', 'first_scans', 'scans', 'schema_versions'])
    await store.command(`drop table if exists ${table} sync`)
  await migrateScanStore(store, 1)
  await insertBatch(await knownColumnsOf(store), blockOf('bat_old', rows))
}

/**
 * Wraps the store so that it calls `stop` after its statement number `at`. Recording a version is a
 * statement too.
 */
function stoppingAfter(at: number, stop: () => Promise<void>): { stopping: ClickHouse; done: () => number } {
  let done = 0
  const counted = async (work: Promise<void>): Promise<void> => {
    await work
    if (done++ === at) await stop()
  }
  const stopping: ClickHouse = {
    ...storeCalls(store),
    command: (...call) => counted(store.command(...call)),
    insert: (...call) => counted(store.insert(...call)),
  }
  return { stopping, done: () => done }
}

/**
 * Lets the store rewrite its rows. Returns its schema and all of its contents, including those that
 * the store itself derives from scans.
 */
async function dumpStore(): Promise<unknown> {
  await rewriteStore(store, { signal: new AbortController().signal, pollMs: 20 })
  for (let open = 1; open > 0; await sleep(20)) {
    const [row] = await store.select<{ open: number }>(
      'select count() as open from system.mutations where database = currentDatabase() and not is_done',
    )
    open = row?.open ?? 0
  }
  const tables = await store.select<{ name: string; made: string }>(
    `select name, create_table_query as made from system.tables where database = currentDatabase() order by name`,
  )
  const contents: unknown[] = []
  for (const table of ['scans', 'first_scans']) {
    await store.command(`optimize table ${table} final`)
    const columns = await store.select<{ name: string }>(
      `select name from system.columns where database = currentDatabase() and table = {table:String} order by name`,
      { table },
    )
    const names = columns.map(({ name }) => name).join(', ')
    contents.push(
      await store.select(`select count() as rows, sum(cityHash64(${names})) as sum from ${table}`),
    )
  }
  const parts = await store.select(
    `select name, sum(rows) as rows from system.projection_parts
     where active and database = currentDatabase() group by name order by name`,
  )
  const versions = await store.select('select version, name from schema_versions order by version')
  return {
    tables: tables.map(({ name, made }) => [name, made.replaceAll(/UUID '[^']+'/g, '')]),
    contents,
    parts,
    versions,
  }
}

await makeOld()
const whole = stoppingAfter(-1, async () => undefined)
await migrateScanStore(whole.stopping)
const statements = whole.done()
const calm = await dumpStore()

const ended = async (): Promise<never> => {
  throw new Error('ended here')
}

test('migrations of the scan store that end after any statement, one end after the other, come to the same end', async (t) => {
  await makeOld()
  let ends = 0
  // Recorded migrations are not repeated: each one is ended after its first statement, its second,
  // …
  for (let at = 0, version = 1; version < scanStoreSchema; ends++) {
    const { stopping, done } = stoppingAfter(at, ended)
    await assert.rejects(migrateScanStore(stopping), /ended here/)
    assert.equal(done(), at + 1)
    const [row] = await store.select<{ version: number }>(
      'select max(version) as version from schema_versions',
    )
    at = row?.version === version ? at + 1 : 0
    version = row?.version ?? 0
  }
  await migrateScanStore(store)
  assert.ok(ends >= statements - scanStoreSchema, `${ends} ends, ${statements} statements`)
  assert.deepEqual(await dumpStore(), calm)
  t.diagnostic(`${ends} ends`)
})

if (killsMax === Infinity)
  test('migrations of the scan store that end once, after any statement, come to the same end', async () => {
    for (let at = 0; at < statements; at++) {
      await makeOld()
      await assert.rejects(migrateScanStore(stoppingAfter(at, ended).stopping), /ended here/)
      await migrateScanStore(store)
      assert.deepEqual(await dumpStore(), calm, `after statement ${at} of ${statements}`)
    }
  })

test('an engine that is killed while it migrates goes on to the same end', async (t) => {
  const step = killsMax === Infinity ? 1 : Math.ceil(statements / killsMax)
  let kills = 0
  for (let at = step - 1; at < statements; at += step) {
    await makeOld()
    // The kill happens as the next statement begins, so background work may be half done.
    const { stopping } = stoppingAfter(at, () => engine.kill())
    await migrateScanStore(stopping).catch(() => undefined)
    kills++
    await engine.start()
    await migrateScanStore(store)
    assert.deepEqual(await dumpStore(), calm, `killed after statement ${at} of ${statements}`)
  }
  report(t, kills)
})

function report(t: TestContext, kills: number): void {
  assert.ok(kills > 0)
  t.diagnostic(`${kills} kills`)
}
