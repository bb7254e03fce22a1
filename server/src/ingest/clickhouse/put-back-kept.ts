import { createStaging, type Staging } from '../../analytics/insert/put-back.ts'
import { ScanStoreUnavailable } from '../../analytics/scan-store.ts'
import { allIntents } from '../../db/scans/ingest-checkpoints.ts'
import { errorMessage } from '../../errors.ts'
import { inTransaction } from '../../db/database.ts'
import { expectFindings } from '../../db/scans/scan-findings.ts'
import type { Log } from '../../log.ts'
import type { IngestContext } from '../ingest-context.ts'
import { readRecord, type RecordPlace } from '../../analytics/insert/record-log.ts'
import type { KeptBatch } from './kept-rows.ts'

const rowsAtOnce = 200_000
/** One of many inserts fails now and then: a new call would begin with the first one again. */
const triesMax = 4

/**
 * Restores kept rows that the scan store lacks, and notes them as findings. Skips unsettled
 * batches, whose frames are still in the journal. Throws if the store is unavailable; a repeated
 * call continues.
 */
export async function putBackKept(
  { db, store, kept, log }: IngestContext,
  { name, notBeforeMs }: { name: string; notBeforeMs: number },
): Promise<void> {
  const open = new Set((await allIntents(db)).map(({ batchId }) => batchId))
  const staging = await createStaging(store, name)
  /** The first batch of those that go back together: after a kill, they are the same ones again. */
  let first: string | undefined
  let staged = 0
  const putBack = async (): Promise<void> => {
    const part = first ?? ''
    await staging.putBack(notBeforeMs, async (rows) => {
      const putBackHits = rows.reduce((sum, { scans }) => sum + scans, 0)
      await inTransaction(db, (tx) => expectFindings(tx, part, { putBackHits, putBack: rows }))
    })
    first = undefined
    staged = 0
  }
  try {
    for await (const place of kept.places()) {
      first ??= place.batchId
      staged += place.rows
      const rows = open.has(place.batchId) ? undefined : await readKept(place, log)
      if (rows !== undefined) await addOf(staging, rows)
      if (staged >= rowsAtOnce) await putBack()
    }
    if (staged > 0) await putBack()
  } finally {
    await staging.drop()
  }
}

async function readKept(place: RecordPlace<KeptBatch>, log: Log): Promise<Buffer | undefined> {
  try {
    return await readRecord(place)
  } catch (error) {
    log.error({ batchId: place.batchId, error: errorMessage(error) }, 'kept rows cannot be read')
    return undefined
  }
}

/** Rows that are staged twice are put back once. */
async function addOf(staging: Staging, rows: Buffer): Promise<void> {
  for (let tries = 1; ; tries++)
    try {
      return await staging.add(rows)
    } catch (error) {
      if (!(error instanceof ScanStoreUnavailable) || tries === triesMax) throw error
    }
}
