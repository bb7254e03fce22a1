import assert from 'node:assert/strict'
import { after, beforeEach, describe, test } from 'node:test'
import { randomFrom, testSeed } from '@everscan/contract/testing/random.ts'
import { insertBatch } from '../insert/insert.ts'
import type { ScanRow } from '../insert/scan-row.ts'
import type { ClickHouse } from '../store/clickhouse.ts'
import { blockOf, randomScans } from '../testing/scan-rows.ts'
import { storeCalls } from '../testing/store-calls.ts'
import { startTestStore } from '../testing/store.ts'
import { figuresOfCodes } from './code-figures.ts'
import { movedClickHouse, moveScans } from './moved-scans.ts'
import type { Fence } from './scan-fence.ts'

const random = randomFrom(testSeed())
const [old, target] = [await startTestStore(), await startTestStore()]
after(() => Promise.all([old.remove(), target.remove()]))
const [from, to] = [old.store, target.store]
const writer = 'a'.repeat(32)
const signal = new AbortController().signal
let batches = 0
let sequence = 0

async function insert(count: number, store = from): Promise<ScanRow[]> {
  const rows = ['org_a', 'org_b']
    .flatMap((organizationId) =>
      randomScans(random, {
        organizationId,
        rows: count / 2,
        fromMs: Date.UTC(2026, 0, 20),
        toMs: Date.UTC(2026, 2, 10),
      }),
    )
    .map((row) => ({ ...row, writer, sequence: ++sequence }))
  for (const [, ofMonth] of Map.groupBy(rows, ({ timeMs }) => new Date(timeMs).getUTCMonth()))
    await insertBatch(store, blockOf(`bat_${String(batches++).padStart(8, '0')}`, ofMonth))
  return rows
}

const all = async (store: ClickHouse, upTo: number): Promise<string> =>
  Buffer.concat(
    await store.bytes(
      `select * except (country_city, place, code_hash, device, destination) from scans
       where sequence <= ${upTo} order by writer, sequence format TabSeparated`,
    ),
  ).toString()

async function assertEqual(upTo: number): Promise<void> {
  assert.equal(await all(to, Number.MAX_SAFE_INTEGER), await all(from, upTo))
  assert.deepEqual(
    await Array.fromAsync(figuresOfCodes(to)),
    await Array.fromAsync(figuresOfCodes(from, { fence: new Map([[writer, upTo]]) })),
  )
}

const move = async (upTo: number, target_ = to, source = from) => {
  const fence: Fence = new Map([[writer, upTo]])
  return moveScans(await movedClickHouse(source, fence), target_, { storeId: 'server:1', signal })
}

describe('moving scans to another store', { concurrency: 1 }, () => {
  beforeEach(async () => {
    for (const store of [from, to])
      for (const table of ['scans', 'first_scans']) await store.command(`truncate table ${table}`)
  })

  test('rows up to the fence arrive once, again and again, and later ones with a later fence', async () => {
    await insert(600)
    const fence = sequence
    await insert(400)
    assert.deepEqual(await move(fence), { rows: 600, differing: [] })
    await assertEqual(fence)
    assert.deepEqual(await move(fence), { rows: 600, differing: [] })
    await assertEqual(fence)
    assert.deepEqual(await move(sequence), { rows: 1000, differing: [] })
    await assertEqual(sequence)
  })

  test('an insert that fails before, during or after its rows arrive is made good by the next move', async () => {
    await insert(600)
    for (const fault of ['lost', 'stored'] as const) {
      let inserts = 0
      const failing: ClickHouse = {
        ...storeCalls(to),
        insert: async (...call) => {
          if (++inserts < 2) return to.insert(...call)
          if (fault === 'stored') await to.insert(...call)
          throw new Error('killed')
        },
      }
      await assert.rejects(move(sequence, failing), { message: 'killed' })
    }
    await move(sequence)
    await assertEqual(sequence)
  })

  test('a piece of which the new store has some rows gets the others', async () => {
    await insert(300)
    await move(sequence)
    await to.command(
      `delete from scans where sequence % 3 = 0`,
      {},
      { settings: { lightweight_deletes_sync: '2' } },
    )
    await move(sequence)
    await assertEqual(sequence)
  })

  test('rows that the old store has deleted since, or that differ, are gone', async () => {
    await insert(300)
    await move(sequence)
    const synchronous = { settings: { lightweight_deletes_sync: '2', mutations_sync: '2' } as const }
    await from.command(`delete from scans where qr_code_id = 'qr_quiet'`, {}, synchronous)
    await from.command(`alter table scans drop partition 202601`)
    await to.command(`alter table scans update city = 'Elsewhere' where sequence % 7 = 0`, {}, synchronous)
    const { differing } = await move(sequence)
    assert.deepEqual(differing, [])
    assert.equal(await all(to, sequence), await all(from, sequence))
  })

  test('while an insert of a killed process runs, the move waits for it', async () => {
    await insert(300)
    await move(sequence - 150)
    const running = to
      .select(
        'select sleepEachRow(0.05) from numbers(20)',
        {},
        { queryId: 'everscan-move-server:1', settings: { max_block_size: '1' } },
      )
      .then(() => performance.now())
    const moved = await move(sequence).then(() => performance.now())
    assert.ok((await running) <= moved)
    await assertEqual(sequence)
  })
})
