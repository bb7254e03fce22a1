import { hasCode } from '../../analytics/store/clickhouse.ts'
import type { IngestIntent } from '../../db/scans/ingest-checkpoints.ts'
import { errorMessage } from '../../errors.ts'
import { reportBatch } from '../batch-report.ts'
import type { Batch } from '../batches.ts'
import type { IngestContext, WriterJournal } from '../ingest-context.ts'

/**
 * Error codes of ClickHouse for faulty values. All other errors may be temporary, so ingest
 * retries.
 */
const refusalCodes = [6, 20, 25, 26, 27, 33, 38, 41, 53, 69, 70, 72, 117, 131, 321, 349, 376, 407, 691]
const refusalsMax = 3
const deadInARowMax = 20

/** Whether the store rejects the values themselves. */
export function isRefusal(error: unknown): boolean {
  return refusalCodes.some((code) => hasCode(error, code))
}

/**
 * Runs the work on a batch. If the store rejects its values three times, abandons the batch for one
 * of half its size, until the rejected record is found; then puts that record aside.
 */
export async function isolateRefusedRecords(
  context: IngestContext,
  journal: WriterJournal,
  { intent, batch }: { intent: IngestIntent; batch: Batch },
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!isRefusal(error) || ++journal.refusals < refusalsMax) throw error
    const { calls, db } = context
    const { writer, batchId, to } = intent
    const frame = batch.firstFrame
    if (batch.block.rows > 1) {
      journal.rowsMax = Math.ceil(batch.block.rows / 2)
      await calls.commitBatch(db, { writer, batchId, counters: [] })
      return
    }
    // So many in a row are not the records' fault; they remain in the journal until an operator
    // acts.
    if (frame === undefined || journal.deadInARow >= deadInARowMax) throw error
    const poison = [
      ...batch.poison,
      { sequence: frame.sequence, scan: frame.scan, problem: errorMessage(error) },
    ]
    await calls.addDeadLetters(context.journalRoot, writer, poison)
    await calls.commitBatch(db, { writer, batchId, counters: [], position: to })
    journal.deadInARow++
    reportBatch(context, journal, { ...batch, poison })
  }
}
