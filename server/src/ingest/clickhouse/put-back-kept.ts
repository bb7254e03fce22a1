import { createStaging, type Staging } from '../../analytics/insert/put-back.ts'
import { ScanStoreUnavailable } from '../../analytics/scan-store.ts'
import { allIntents } from '../../db/scans/ingest-checkpoints.ts'
import { errorMessage } from '../../errors.ts'
import { byOrganization, type OrganizationScans } from '../../db/scans/scan-counters.ts'
import type { IngestContext } from '../ingest-context.ts'
import { readRecord } from '../../analytics/insert/record-log.ts'

const rowsAtOnce = 200_000
/** One of many inserts fails now and then: a new call would begin with the first one again. */
const triesMax = 4

/**
 * Restores kept rows that the scan store lacks. Returns their number by organization. Skips
 * unsettled batches, whose frames are still in the journal. Throws if the store is unavailable; a
 * repeated call continues.
 */
export async function putBackKept(
  { db, store, kept, log }: IngestContext,
  { name, notBeforeMs }: { name: string; notBeforeMs: number },
): Promise<OrganizationScans[]> {
  const open = new Set((await allIntents(db)).map(({ batchId }) => batchId))
  const staging = await createStaging(store, name)
  const hits: OrganizationScans[] = []
  let staged = 0
  try {
    for await (const place of kept.places()) {
      if (open.has(place.batchId)) continue
      let rows: Buffer
      try {
        rows = await readRecord(place)
      } catch (error) {
        log.error({ batchId: place.batchId, error: errorMessage(error) }, 'kept rows cannot be read')
        continue
      }
      await addOf(staging, rows)
      staged += place.rows
      if (staged < rowsAtOnce) continue
      hits.push(...(await staging.putBack(notBeforeMs)))
      staged = 0
    }
    if (staged > 0) hits.push(...(await staging.putBack(notBeforeMs)))
  } finally {
    await staging.drop()
  }
  return byOrganization(hits)
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
