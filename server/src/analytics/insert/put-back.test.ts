import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { ClickHouse } from '../store/clickhouse.ts'
import { startTestStore, type TestStore } from '../testing/store.ts'
import { firstScansOf } from '../store/first-scans.ts'
import { deleteLostFirstScans, refeedFirstScansOfDays } from './put-back.ts'
import { storedDays } from './stored-scans.ts'

const scans = 400_000
const scansPerStretch = 20_000
/** Less than the visitors of all scans take. */
const memory = { max_memory_usage: '50000000', max_bytes_before_external_group_by: '10000000' }

let opened: TestStore
let store: ClickHouse
before(async () => {
  opened = await startTestStore()
  store = opened.store
})
after(() => opened.remove())

/** The store with little memory for a statement. */
function withLittleMemory(): ClickHouse {
  return new Proxy(store, {
    get(target, name) {
      if (name !== 'command' && name !== 'select') {
        const value: unknown = Reflect.get(target, name)
        return typeof value === 'function' ? value.bind(target) : value
      }
      return async (sql: string, params = {}, options: { settings?: Record<string, string> } = {}) =>
        target[name](sql, params, { ...options, settings: { ...options.settings, ...memory } })
    },
  })
}

async function firstScans(): Promise<{ rows: number; hash: string }> {
  const [row] = await store.select<{ rows: number; hash: string }>(
    `select count() as rows, toString(sum(cityHash64(qr_code_id, visitor, place))) as hash
     from (select qr_code_id, visitor, min(place) as place from first_scans group by qr_code_id, visitor)`,
  )
  assert.ok(row !== undefined)
  return row
}

test('first scans of many days are derived and deleted with the memory of a stretch of them', async () => {
  // Nine in ten are on thirty days, the others on one.
  await store.command(
    `insert into scans (organization_id, qr_code_id, time, writer, sequence, visitor, class)
     select
       'org_1', concat('qr_', toString(number % 50)),
       toDateTime64('2026-03-01 00:00:00', 3, 'UTC') + if(number % 10 = 0, 0, number % 30) * 86400 + number % 86400,
       'w', number, reinterpret(sipHash128(intDiv(number, 2), number % 50), 'UUID'), 'human'
     from numbers({scans:UInt64})`,
    { scans },
  )
  const expected = await firstScans()
  await store.command('truncate table first_scans')
  const days = await storedDays(store, [])
  const little = withLittleMemory()
  await assert.rejects(
    little.command(`insert into first_scans ${firstScansOf()}`),
    'the store has memory for all scans at once: the test needs more of them',
  )
  await store.command('truncate table first_scans')
  await refeedFirstScansOfDays(little, 'w', days, scansPerStretch)
  assert.deepEqual(await firstScans(), expected)

  const lost = days.map(({ day }) => day).slice(0, 3)
  await store.command(
    'delete from scans where intDiv(toUnixTimestamp(time), 86400) in (select toUInt32(arrayJoin({lost:Array(String)})))',
    { lost: lost.map(String) },
    { settings: { lightweight_deletes_sync: '2' } },
  )
  await deleteLostFirstScans(little, lost, scansPerStretch)
  const [left] = await store.select<{ rows: number }>(
    `select count() as rows from first_scans
     where intDiv(toUnixTimestamp(time), 86400) in (select toUInt32(arrayJoin({lost:Array(String)})))`,
    { lost: lost.map(String) },
  )
  assert.equal(left?.rows, 0)
  assert.ok((await firstScans()).rows > expected.rows / 2)
})
