import { takes } from '../../db/feeds/event-pages.ts'
import type { ScanEvents } from '../../db/scans/ingest-checkpoints.ts'
import type { CodeScans } from './uniques.ts'
import type { IngestContext } from '../ingest-context.ts'

/** Returns the scans of a batch as events, for organizations that subscribe to them. */
export async function eventsOf(
  { calls, store, db, clock }: IngestContext,
  batchId: string,
  scans: readonly CodeScans[],
): Promise<ScanEvents[]> {
  const ids = [...new Set(scans.map(({ organizationId }) => organizationId))]
  const subscriptions = await calls.wantedEvents(db, ids, clock())
  const taking = ids.filter((id) => takes(subscriptions.get(id), 'qr.scanned'))
  if (taking.length === 0) return []
  const found = Map.groupBy(
    await calls.scansOfBatch(store, batchId, taking),
    ({ organizationId }) => organizationId,
  )
  return [...found].map(([organizationId, rows]) => ({
    organizationId,
    events: rows.map(({ scan }) => ({
      event: 'qr.scanned',
      atMs: Date.parse(scan.timestamp),
      qrCodeId: scan.qrCodeId,
      data: scan,
    })),
  }))
}
