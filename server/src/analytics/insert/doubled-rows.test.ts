import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { recoverDoubledRows, removeDoubledRows } from './doubled-rows.ts'
import { insertBatch } from './insert.ts'
import { createStaging, tablesOlderThan } from './put-back.ts'
import { blockOf, randomScans } from '../testing/scan-rows.ts'
import { storeCalls } from '../testing/store-calls.ts'
import { randomFrom, testSeed } from '@everscan/contract/testing/random.ts'
import type { ClickHouse } from '../store/clickhouse.ts'
import { startTestStore } from '../testing/store.ts'

const seed = testSeed()
const random = randomFrom(seed)
const { store, remove } = await startTestStore()
after(remove)

const dayMs = 86_400_000
const fromDay = Date.UTC(2026, 2, 2) / dayMs
const days = [fromDay, fromDay + 1, fromDay + 2]
const [fromMs, toMs] = [fromDay * dayMs, (fromDay + 3) * dayMs]
const stretch = { writer: 'writer-a', days, exceptBatchIds: ['bat_open'] }
let calls = 0
const newCall = () => ({ name: `test${++calls}`, notBeforeMs: 0 })

const [one, other] = ['org_1', 'org_2'].map((organizationId, index) =>
  // Names (writer and sequence) are unique across organizations, as those of a journal are.
  randomScans(random, { organizationId, rows: 100, fromMs, toMs }).map((row) => {
    return { ...row, sequence: BigInt(row.sequence) * 2n + BigInt(index) }
  }),
)
await insertBatch(store, blockOf('bat_1', one!))
await insertBatch(store, blockOf('bat_2', other!))
await store.command('create table copy clone as scans')
await store.command(`delete from copy where writer = 'writer-b'`)

/** Reads everything that figures are computed from: rows, first scans and projections. */
async function state(): Promise<unknown> {
  return [
    await store.select('select * from scans order by writer, sequence'),
    await store.select('select * from first_scans final order by all'),
    await store.select('select organization_id, class, count() from scans group by all order by all'),
    await store.select(
      'select organization_id, toDate(time) as day, device, referrer, class, count() from scans group by all order by all',
    ),
  ]
}
const exact = await state()

/** Attaches the parts once more. Returns the number of rows that this doubles. */
async function double(): Promise<number> {
  await store.command('alter table scans attach partition all from copy')
  return (one ?? []).concat(other ?? []).filter(({ writer }) => writer === stretch.writer).length
}

async function tables(): Promise<string[]> {
  const rows = await store.select<{ name: string }>(
    `select name from system.tables where database = 'everscan'`,
  )
  return rows.map(({ name }) => name).filter((name) => name.startsWith('doubled_rows'))
}

const removeAll = () => removeDoubledRows(store, stretch, newCall())

test('of rows that stand twice or more one is left; figures, first scans and projections are as before', async () => {
  const ofWriter = await double()
  await double()
  const removed = await removeDoubledRows(store, stretch, newCall())
  assert.deepEqual(removed.map(({ organizationId }) => organizationId).toSorted(), ['org_1', 'org_2'])
  assert.equal(
    removed.reduce((sum, { scans }) => sum + scans, 0),
    2 * ofWriter,
  )
  assert.deepEqual(await state(), exact)
  assert.deepEqual(await removeAll(), [])
  assert.deepEqual(await state(), exact)
  assert.deepEqual(await tables(), [])
})

test('rows of batches that are on their way in, and of other days, are left alone', async () => {
  await double()
  const [row] = one!.filter(({ writer, timeMs }) => writer === stretch.writer && timeMs < fromMs + dayMs)
  await removeAll()
  await insertBatch(store, blockOf('bat_open', [{ ...row!, sequence: 1e9 }]))
  await insertBatch(store, blockOf('bat_open', [{ ...row!, sequence: 1e9 }]))
  await store.command(
    `insert into scans select * from scans where batch_id = 'bat_open' settings insert_deduplicate = 0`,
  )
  assert.deepEqual(await removeDoubledRows(store, stretch, newCall()), [])
  const otherDays = { ...stretch, days: days.slice(1), exceptBatchIds: [] }
  assert.deepEqual(await removeDoubledRows(store, otherDays, newCall()), [])
  await store.command(`delete from scans where batch_id = 'bat_open'`)
})

test('after an interruption anywhere nothing is lost, and the next try is exact', async () => {
  for (let endAt = 0, isEnded = true; isEnded; endAt++) {
    await double()
    let step = 0
    // Ending before a step is the same as ending after the previous one.
    const ending = async <Result>(work: () => Promise<Result>): Promise<Result> => {
      if (step++ === endAt) throw new Error('ended')
      return await work()
    }
    const through: ClickHouse = {
      ...storeCalls(store),
      command: (...words) => ending(() => store.command(...words)),
      select: (...words) => ending(() => store.select(...words)),
    }
    isEnded = await removeDoubledRows(through, stretch, newCall()).then(
      () => false,
      () => true,
    )
    assert.ok(isEnded || endAt > 6, `${endAt} steps`)
    await recoverDoubledRows(store, { sinceMs: 0, notBeforeMs: 0 })
    await removeAll()
    assert.deepEqual(await state(), exact, `ended before step ${endAt}`)
    assert.deepEqual(await tables(), [])
  }
})

test('what another machine has just set aside is left to it', async () => {
  await double()
  const failing: ClickHouse = {
    ...storeCalls(store),
    command: (sql, ...words) =>
      sql.includes('insert into scans') ? Promise.reject(new Error('ended')) : store.command(sql, ...words),
  }
  await assert.rejects(removeDoubledRows(failing, stretch, newCall()))
  await recoverDoubledRows(store, { sinceMs: 3_600_000, notBeforeMs: 0 })
  assert.equal((await tables()).length, 1)
  await recoverDoubledRows(store, { sinceMs: 0, notBeforeMs: 0 })
  await removeAll()
  assert.deepEqual(await state(), exact)
})

test('a deletion that goes on after its worker ended is waited for before rows come back', async () => {
  await double()
  await store.command('system stop merges scans')
  const ended: ClickHouse = {
    ...storeCalls(store),
    command: async (sql, params, options) => {
      if (!sql.includes('delete from scans')) return await store.command(sql, params, options)
      await store.command(sql, params, { ...options, settings: { lightweight_deletes_sync: '0' } })
      throw new Error('ended')
    },
  }
  await assert.rejects(removeDoubledRows(ended, stretch, newCall()), /ended/)
  const recovered = recoverDoubledRows(store, { sinceMs: 0, notBeforeMs: 0 })
  await sleep(500)
  assert.equal((await tables()).length, 1)
  await store.command('system start merges scans')
  await recovered
  await removeAll()
  assert.deepEqual(await state(), exact)
})

test('what a process that was killed had put aside for putting back is dropped by the next one', async () => {
  await createStaging(store, 'killed')
  const kept = async (): Promise<string[]> => tablesOlderThan(store, 'kept_rows_', 0)
  const beside = await createStaging(store, 'beside')
  assert.deepEqual((await kept()).toSorted(), ['kept_rows_beside', 'kept_rows_killed'])
  await beside.drop()
  const next = await createStaging(store, 'next', { abandonedMs: 0 })
  assert.deepEqual(await kept(), ['kept_rows_next'])
  await next.drop()
})
