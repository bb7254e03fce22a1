import { storedBatch } from '../../analytics/insert/stored-scans.ts'
import { allIntents } from '../../db/scans/ingest-checkpoints.ts'
import { inTransaction } from '../../db/database.ts'
import { unfinishedJobs } from '../../db/scans/importing-jobs.ts'
import { addLateVisits, movesAmong } from '../../db/scans/moved-hits.ts'
import type { IngestContext } from '../ingest-context.ts'

/**
 * On a shared database, another machine owns an intent for this long: a live machine settles it
 * within minutes.
 */
const strayMs = 24 * 60 * 60 * 1000

/**
 * Settles batches whose journal is gone: their rows in the store count, and their writers'
 * checkpoints do not move. If the journal returns, frames that are in the store are skipped.
 */
export async function settleStray(context: IngestContext, writers: ReadonlySet<string>): Promise<void> {
  const { calls, db, store, log, clock } = context
  const open = await allIntents(db)
  const ofOpen = open.map(({ writer }) => writer)
  const importing = await unfinishedJobs(db, ofOpen)
  const moves = await movesAmong(db, ofOpen)
  for (const { writer, batchId, rows, createdAtMs } of open) {
    // An import of an archive or a move settles its own.
    if (importing.has(writer)) continue
    if (writers.has(writer) || (!context.isAlone && clock() - createdAtMs < strayMs)) continue
    const stored = await calls.countBatch(store, batchId)
    await calls.refeedFirstScans(store, batchId)
    const { scans, days } = await storedBatch(store, batchId)
    const counters = scans.filter(({ scans: count }) => count > 0)
    await inTransaction(db, async (tx) => {
      const reserved = await calls.commitBatch(tx, { writer, batchId, counters, days })
      if (reserved === undefined || !moves.has(writer)) return
      // A cancelled move has no worker that would count them.
      await addLateVisits(tx, writer, scans)
    })
    log.error(
      { writer, batchId, expected: rows, inStore: stored },
      'the journal of a batch is gone: its rows in the scan store count',
    )
  }
}
