import assert from 'node:assert/strict'
import { after, beforeEach, describe, test } from 'node:test'
import { randomFrom } from '@everscan/contract/testing/random.ts'
import { insertBatch } from '../insert/insert.ts'
import { blockOf, randomScans } from '../testing/scan-rows.ts'
import { knownColumnsOf, startTestStore } from '../testing/store.ts'
import { migrateScanStore, scanProjections, scanStoreSchema } from './migrations.ts'
import type { RewriteState } from '../scan-store.ts'
import { readRewrite, rewriteStore } from './rewrites.ts'

const { engine, store, remove } = await startTestStore({ schema: 'none' })
after(remove)

const months = [0, 1, 2]
const scansOf = (month: number) =>
  randomScans(randomFrom(month), {
    organizationId: 'org_old',
    rows: 1_000,
    fromMs: Date.UTC(2026, month, 1),
    toMs: Date.UTC(2026, month + 1, 1),
  })

async function emptyStore(): Promise<void> {
  await store.createDatabase()
  for (const table of ['first_scans_feed', 'first_scans', 'scans', 'selected_codes', 'schema_versions'])
    await store.command(`drop table if exists ${table} sync`)
}

/** Creates the store as the first release left it, with scans of three months. */
beforeEach(async () => {
  await emptyStore()
  await migrateScanStore(store, 1)
  for (const month of months)
    await insertBatch(await knownColumnsOf(store), blockOf(`bat_old_${month}`, scansOf(month)))
})

/** A store that rewrites nothing until `release`: the slowest that there is. */
async function stall(): Promise<() => Promise<void>> {
  await setMerges('stop')
  return () => setMerges('start')
}

async function setMerges(what: 'stop' | 'start'): Promise<void> {
  for (const table of ['scans', 'first_scans']) await store.command(`system ${what} merges ${table}`)
}

/** Every order in the store: what, of which partition. */
async function orders(): Promise<string[]> {
  const found = await store.select<{ table: string; command: string }>(
    `select table, command from system.mutations
     where database = currentDatabase() and command like '%MATERIALIZE%'`,
  )
  return found.map(({ table, command }) => `${table} ${command}`).sort()
}

/** Runs until the state is as wanted, then ends as a killed worker does: it orders nothing more. */
async function runUntil(isThere: (state: RewriteState) => boolean): Promise<void> {
  const ending = new AbortController()
  await rewriteStore(store, {
    signal: ending.signal,
    pollMs: 20,
    onState: (state) => {
      if (isThere(state)) ending.abort()
    },
  })
}

const toTheEnd = () => rewriteStore(store, { signal: new AbortController().signal, pollMs: 20 })

describe('an old store whose engine is slow', () => {
  test('has the schema of this release at once: no statement waits for rewrites of rows', async () => {
    const release = await stall()
    // A rewrite that an earlier release ordered.
    await migrateScanStore(store, 3)
    await store.command(
      `alter table scans add projection if not exists by_device (select device_type, count() group by device_type)`,
    )
    await store.command(`alter table scans materialize projection by_device settings mutations_sync = 0`)
    const fromMs = performance.now()
    await migrateScanStore(store)
    const tookMs = performance.now() - fromMs
    await release()
    assert.ok(tookMs < 10_000, `${Math.round(tookMs)} ms`)
    assert.equal((await orders()).length, 1, 'a migration orders no rewrite')
  })

  test('gets each rewrite exactly once, however often the work is ended and begun again', async () => {
    const release = await stall()
    await migrateScanStore(store)
    const before = await readRewrite(store)
    assert.ok(before.rowsLeft > 3_000 && before.rowsLeft === before.rows, JSON.stringify(before))
    assert.equal(before.startedAtMs, undefined)
    for (let attempt = 0; attempt < 3; attempt++)
      await runUntil(({ startedAtMs }) => startedAtMs !== undefined)
    const first = await orders()
    assert.ok(first.length > 0 && new Set(first).size === first.length, first.join('\n'))
    assert.ok(
      first.every((order) => order.includes('202603')),
      'the newest month comes first',
    )
    await release()
    // Each month in an attempt of its own.
    for (let done = 1; done <= months.length; done++)
      await runUntil(({ rowsLeft, rows: all }) => rowsLeft <= all - (done * all) / 5)
    await toTheEnd()
    const all = await orders()
    assert.equal(new Set(all).size, all.length, all.join('\n'))
    assert.equal(all.length, (3 + Object.keys(scanProjections).length) * months.length + 2)
    const { rowsLeft, endsAtMs, problem } = await readRewrite(store)
    assert.deepEqual({ rowsLeft, endsAtMs, problem }, { rowsLeft: 0, endsAtMs: undefined, problem: '' })
  })

  test('goes on with the same rewrite after its engine was killed', async () => {
    await stall()
    await migrateScanStore(store)
    await runUntil(({ startedAtMs }) => startedAtMs !== undefined)
    const first = await orders()
    await engine.kill()
    // A started engine merges again.
    await engine.start()
    await toTheEnd()
    const all = await orders()
    assert.equal(new Set(all).size, all.length, all.join('\n'))
    assert.ok(first.every((order) => all.includes(order)))
  })

  test('gets a rewrite again that was ended by hand, and no other', async () => {
    const release = await stall()
    await migrateScanStore(store)
    await runUntil(({ startedAtMs }) => startedAtMs !== undefined)
    const first = await orders()
    await store.command(`kill mutation where database = currentDatabase() and table = 'scans' sync`)
    assert.deepEqual(await orders(), [])
    await release()
    await toTheEnd()
    const all = await orders()
    assert.ok(first.every((order) => all.includes(order)))
    assert.equal(new Set(all).size, all.length, all.join('\n'))
  })
})

test('the rewrite waits for those that an earlier release ordered, and orders none of them again', async () => {
  await migrateScanStore(store)
  const release = await stall()
  for (const what of ['column place', 'projection by_place'])
    await store.command(`alter table scans materialize ${what} settings mutations_sync = 0`)
  const ending = new AbortController()
  const working = rewriteStore(store, { signal: ending.signal, pollMs: 20 })
  for (let reading = 0; reading < 10; reading++) await readRewrite(store)
  assert.equal((await orders()).length, 2)
  await release()
  await working
  const again = (await orders()).filter((order) => order.includes('place') && order.includes('PARTITION'))
  assert.deepEqual(again, [])
})

test('it ends with a store that has no projection which no query reads', async () => {
  await migrateScanStore(store, scanStoreSchema)
  for (const name of ['by_city', 'by_device'])
    await store.command(`alter table scans add projection ${name} (select country, count() group by country)`)
  await toTheEnd()
  const found = await store.select<{ name: string }>(
    `select name from system.projections where database = currentDatabase() and name in ('by_city', 'by_device')`,
  )
  assert.deepEqual(found, [])
})

test('rows that have everything are left alone, also when the store has forgotten its mutations', async () => {
  await migrateScanStore(store)
  await toTheEnd()
  const before = await orders()
  assert.ok(before.length > 0)
  // A copy of the parts, without the mutations that made them.
  for (const table of ['scans', 'first_scans']) {
    await store.command(`create table copied as ${table}`)
    const found = await store.select<{ id: string }>(
      `select distinct partition_id as id from system.parts where database = currentDatabase() and table = '${table}' and active`,
    )
    for (const { id } of found)
      await store.command(`alter table copied attach partition id '${id}' from ${table}`)
    await store.command(`exchange tables copied and ${table}`)
    await store.command('drop table copied sync')
  }
  assert.deepEqual(await orders(), [])
  await toTheEnd()
  assert.deepEqual(await orders(), [])
})

test('a new store has nothing to rewrite, and no mutation', async () => {
  await emptyStore()
  await migrateScanStore(store)
  await insertBatch(store, blockOf('bat_new', scansOf(1)))
  await toTheEnd()
  assert.deepEqual(await orders(), [])
})
