import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startTestStore } from '../analytics/testing/store.ts'
import { storeCalls } from '../analytics/testing/store-calls.ts'
import { insertBatch, uniqueScansOf } from '../analytics/insert/insert.ts'
import { organizationAnalytics, qrCodeAnalytics } from '../analytics/figures/queries.ts'
import {
  referenceAnalytics,
  referenceFigures,
  referenceHits,
  referenceTopQrCodes,
} from '../analytics/testing/reference-analytics.ts'
import { listScans } from '../analytics/figures/scan-lists.ts'
import { blockOf, randomScans } from '../analytics/testing/scan-rows.ts'
import { randomFrom, testSeed } from '@everscan/contract/testing/random.ts'
import type { ScanRow } from '../analytics/insert/scan-row.ts'
import { findFirstScans } from '../analytics/figures/old-scans.ts'
import type { ClickHouse } from '../analytics/store/clickhouse.ts'
import type { Database } from '../db/database.ts'
import { commitBatch, readCheckpoint, saveIntents } from '../db/scans/ingest-checkpoints.ts'
import { forEachDatabase } from '../db/testing/databases.ts'
import { countersOf } from './testing/ingest.ts'
import { insertCode } from '../db/testing/codes.ts'
import type { Log } from '../log.ts'
import { deleteOldScans } from './clickhouse/delete-old-scans.ts'
import { createRetentionGrace, retentionBoundary } from './retention.ts'

const seed = testSeed()
const organizationId = 'org_1'
const codes = ['qr_busy', 'qr_quiet']
const dayMs = 86_400_000
const hourMs = 3_600_000
const retentionDays = 20
/** Stops at every sixth call, from a random one on; `npm run soak` stops at every call. */
const step = process.env['SOAK'] === '1' ? 1 : 6
const { signal } = new AbortController()

const { store, remove } = await startTestStore()
after(remove)

test('a scan remains for its days and until midnight', () => {
  assert.equal(retentionBoundary(1, Date.UTC(2026, 2, 2)), Date.UTC(2026, 2, 1))
  assert.equal(retentionBoundary(1, Date.UTC(2026, 2, 3) - 1), Date.UTC(2026, 2, 1))
  assert.equal(retentionBoundary(30, Date.UTC(2026, 0, 31, 12)), Date.UTC(2026, 0, 1))
})

let batches = 0

/** Performs intent and insert as ingest does. Returns the commit, which the caller can delay. */
async function ingest(db: Database, rows: readonly ScanRow[], writer: string): Promise<() => Promise<void>> {
  const from = (await readCheckpoint(db, writer)) ?? { segment: 0, offset: 0, sequence: 0 }
  const to = { segment: 1, offset: from.offset + 1, sequence: from.sequence + rows.length }
  const batchId = `bat_${Date.now().toString(36).padStart(9, '0')}${String(batches++).padStart(16, '0')}`
  assert.ok(await saveIntents(db, [{ batchId, writer, from, to, partition: '', rows: rows.length }]))
  await insertBatch(store, blockOf(batchId, rows))
  return async () => {
    const scanned = codes.map((qrCodeId) => ({
      organizationId,
      qrCodeId,
      scans: rows.filter((row) => row.class === 'human' && row.qrCodeId === qrCodeId).length,
    }))
    const uniques = await uniqueScansOf(store, scanned)
    const counters = scanned.map((code) => ({
      ...code,
      uniqueScans: uniques.find(({ qrCodeId }) => qrCodeId === code.qrCodeId)?.uniqueScans ?? 0,
    }))
    assert.ok(await commitBatch(db, { writer, batchId, counters, position: to }))
  }
}

/** Returns a store that fails from its `count`-th call on; that call itself is executed or not. */
function endingStore(count: number, isDone: boolean): { store: ClickHouse; calls: () => number } {
  let calls = 0
  const call = async <Result>(sql: string, work: () => Promise<Result>): Promise<Result> => {
    if (sql.includes('openMutations')) return work()
    calls++
    if (calls === count && isDone) await work()
    if (calls >= count) throw new Error('killed')
    return work()
  }
  return {
    calls: () => calls,
    store: {
      ...storeCalls(store),
      select: (sql, params, options) => call(sql, () => store.select(sql, params, options)),
      command: (sql, params, options) => call(sql, () => store.command(sql, params, options)),
    },
  }
}

async function assertAgreement(db: Database, kept: readonly ScanRow[]): Promise<void> {
  const period = { startMs: Date.UTC(2026, 0), endMs: Date.UTC(2026, 5), timezone: 'UTC' }
  const scope = { organizationId, filters: {}, ...period }
  const interval = 'day'
  const expected: Record<string, [number, number]> = {}
  for (const qrCodeId of codes) {
    const options = { ...scope, qrCodeId, interval, byDestination: true } as const
    const figures = await qrCodeAnalytics(store, options)
    assert.deepEqual(figures, referenceAnalytics(kept, options))
    const { totalScans, uniqueScans } = figures.summary
    expected[qrCodeId] = [totalScans, uniqueScans]
    const list = await listScans(store, { ...options, page: 1, limit: 100_000, includeBots: false })
    assert.equal(list.total, totalScans)
    assert.equal(list.scans.filter(({ isUnique }) => isUnique).length, uniqueScans)
  }
  assert.deepEqual(await countersOf(db), expected)
  const hits = referenceHits(kept, scope)
  assert.deepEqual(await organizationAnalytics(store, { ...scope, interval, topQrCodes: codes }), {
    ...referenceFigures(hits, { ...period, interval }),
    topQrCodes: referenceTopQrCodes(hits, codes),
  })
}

forEachDatabase('retention', (open) => {
  test('deletes old scans from every figure, wherever it is interrupted and while scans arrive', async () => {
    const random = randomFrom(seed)
    for (const table of ['scans', 'first_scans']) await store.command(`truncate table ${table}`)
    const db = await open()
    for (const id of codes) await insertCode(db, organizationId, id)
    const fromMs = Date.UTC(2026, 0, 20)
    let nowMs = Date.UTC(2026, 2, 6, 3)
    const all = randomScans(random, { organizationId, rows: 3_000, fromMs, toMs: nowMs })
    for (const rows of Map.groupBy(all, ({ timeMs }) => new Date(timeMs).getUTCMonth()).values())
      await (
        await ingest(db, rows, 'w_0')
      )()

    let sequence = 10_000
    const arrive = async (writer: string, days: { fromMs: number; toMs: number }) => {
      const rows = randomScans(random, { organizationId, rows: 20, ...days }).map((row) => ({
        ...row,
        sequence: sequence++,
      }))
      all.push(...rows)
      return ingest(db, rows, writer)
    }
    const assertKept = async () => {
      const beforeMs = retentionBoundary(retentionDays, nowMs)
      assert.ok(all.some(({ timeMs }) => timeMs < beforeMs))
      await assertAgreement(
        db,
        all.filter(({ timeMs }) => timeMs >= beforeMs),
      )
    }

    for (let ends = 1 + Math.floor(random() * step); ; ends += step) {
      const today = { fromMs: nowMs - (nowMs % dayMs), toMs: nowMs }
      const ending = endingStore(ends, random() < 0.5)
      const options = { store: ending.store, retentionDays, signal }
      const commitLate = await arrive('w_1', today)
      const over = new AbortController()
      const live = (async () => {
        while (!over.signal.aborted) await (await arrive('w_2', today))()
      })()
      const cutOff = deleteOldScans(db, nowMs, options).catch((error: unknown) =>
        assert.match(String(error), /killed/),
      )
      // A batch that was in the store before, and is counted only now.
      await commitLate()
      await cutOff
      await deleteOldScans(db, nowMs, { store, retentionDays, signal })
      over.abort()
      await live
      await assertKept()
      if (ending.calls() < ends) break
      nowMs += dayMs
    }

    // Scans from forgotten journals are in the figures until the next day.
    await (
      await arrive('w_1', { fromMs, toMs: Date.UTC(2026, 1) })
    )()
    nowMs += dayMs
    await deleteOldScans(db, nowMs, { store, retentionDays, signal })
    await assertKept()

    // In more than one chunk of codes.
    await store.command('alter table first_scans delete where 1 settings mutations_sync = 2')
    await findFirstScans(store, signal, 10)
    await assertKept()
  })

  test('waits before it deletes more than the last days, in case a setting or a clock is wrong', async () => {
    for (const table of ['scans', 'first_scans']) await store.command(`truncate table ${table}`)
    const db = await open()
    for (const id of codes) await insertCode(db, organizationId, id)
    const nowMs = Date.UTC(2026, 2, 6, 3)
    const all = randomScans(randomFrom(seed), {
      organizationId,
      rows: 300,
      fromMs: Date.UTC(2026, 1, 1),
      toMs: Date.UTC(2026, 1, 28),
    })
    await (
      await ingest(db, all, 'w_1')
    )()
    let elapsedMs = 0
    const warned: string[] = []
    const log = {
      warn: ({ before: moment }: { before: string }) => void warned.push(moment),
    } as unknown as Log
    const grace = createRetentionGrace({ log, elapsedMs: () => elapsedMs })
    const run = async (atMs: number) => {
      await deleteOldScans(db, atMs, { store, retentionDays, signal, grace })
      const [row] = await store.select<{ rows: number }>('select count() as rows from scans')
      return row?.rows
    }
    const since = (ms: number) => all.filter(({ timeMs }) => timeMs >= ms).length

    assert.equal(await run(nowMs), all.length)
    elapsedMs += 11 * hourMs
    assert.equal(await run(nowMs + dayMs), all.length)
    elapsedMs += hourMs
    assert.equal(await run(nowMs + dayMs), since(Date.UTC(2026, 1, 15)))
    // A step of one day needs no wait.
    const kept = since(Date.UTC(2026, 1, 16))
    assert.equal(await run(nowMs + 2 * dayMs), kept)
    // A clock that is years ahead and is corrected in time: each time the wait is 12 hours again.
    for (let time = 0; time < 2; time++) {
      for (const hours of [1, 5, 5]) {
        assert.equal(await run(Date.UTC(2035, 0)), kept)
        elapsedMs += hours * hourMs
      }
      assert.equal(await run(nowMs + 2 * dayMs), kept)
      elapsedMs += 5 * hourMs
    }
    const years = '2034-12-12T00:00:00.000Z'
    assert.deepEqual(warned, ['2026-02-14T00:00:00.000Z', years, years])
  })
})
