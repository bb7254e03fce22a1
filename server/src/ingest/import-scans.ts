import { ScanBlock } from '../analytics/insert/scan-block.ts'
import { ScanStoreUnavailable } from '../analytics/scan-store.ts'
import type { ClickHouse } from '../analytics/store/clickhouse.ts'
import type { Database } from '../db/database.ts'
import type { IngestIntent } from '../db/scans/ingest-checkpoints.ts'
import { dayOf } from '../db/scans/scan-days.ts'
import { ingestCalls, type IngestCalls } from './clickhouse/ingest-calls.ts'
import { createBatchId } from './clickhouse/ingest-next.ts'
import { countDueUniques } from './clickhouse/uniques.ts'
import { codeOfLine, rowsOfHits, type ArchivedHits, type ScanImporter } from './imported-hits.ts'

/**
 * Creates the way of archived hits into the scan store, the same that hits of journals go: an
 * intent, an insert under its batch id, and a transaction that counts. A worker that finds the
 * intent of a killed one makes the same rows again and settles them by counting.
 */
export function createScanImporter(
  scanStore: ClickHouse,
  { calls = ingestCalls, clock = Date.now }: { calls?: IngestCalls; clock?: () => number } = {},
): ScanImporter {
  async function storeHits(
    db: Database,
    hits: ArchivedHits,
    commit: (count: (tx: Database) => Promise<boolean>) => Promise<void>,
  ): Promise<void> {
    const { writer, firstSequence, lines } = hits
    const [open] = await calls.openIntents(db, writer)
    const batch = batchOf(hits, open?.batchId ?? createBatchId(clock()))
    const { batchId, partition, rows } = batch.block
    const from = { segment: 0, offset: 0, sequence: firstSequence - 1 }
    // Its checkpoint says which of its hits are counted, so that copies have them: see `fenceOf`.
    const to = { ...from, sequence: from.sequence + lines.length }
    if (open === undefined) {
      const intent: IngestIntent = { batchId, writer, from, to, partition, rows }
      if (!(await calls.saveIntents(db, [intent])))
        throw new Error('another worker has these hits in progress')
    }
    if (open !== undefined || !(await insert(batch.block))) await calls.settleBatch(scanStore, batch.block)
    const { counters, days } = batch
    await commit(
      async (tx) =>
        (await calls.commitBatch(tx, { writer, batchId, counters, days, position: to })) !== undefined,
    )
  }

  /** Returns false if the outcome is unknown. */
  async function insert(block: ScanBlock): Promise<boolean> {
    try {
      await calls.insertBatch(scanStore, block)
      return (await calls.countBatch(scanStore, block.batchId)) === block.rows
    } catch {
      return false
    }
  }

  return {
    store: (db, hits, commit) => unlessAway(() => storeHits(db, hits, commit)),
    codeOf: codeOfLine,
    countUniques: (db) => unlessAway(() => countDueUniques({ calls, db, store: scanStore })),
  }
}

async function unlessAway(work: () => Promise<void>): Promise<boolean> {
  try {
    await work()
    return true
  } catch (error) {
    if (error instanceof ScanStoreUnavailable) return false
    throw error
  }
}

/** Makes a batch of hits, the same from the same lines. */
function batchOf(hits: ArchivedHits, batchId: string) {
  const { organizationId } = hits
  const block = new ScanBlock(batchId)
  const scans = new Map<string, number>()
  const days = new Map<number, number>()
  for (const row of rowsOfHits(hits)) {
    block.add(row)
    if (row.class === 'human' && row.organizationId === organizationId)
      scans.set(row.qrCodeId, (scans.get(row.qrCodeId) ?? 0) + 1)
    const day = dayOf(row.timeMs)
    days.set(day, (days.get(day) ?? 0) + 1)
  }
  // Without short codes: hits of codes that were deleted there reserve nothing here.
  const counters = [...scans].map(([qrCodeId, count]) => ({ organizationId, qrCodeId, scans: count }))
  return { block, counters, days }
}
