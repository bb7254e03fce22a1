import { findFirstScans } from '../analytics/figures/old-scans.ts'
import type { ScanStore } from '../analytics/store/store.ts'
import type { Database } from '../db/database.ts'
import type { OrganizationScans } from '../db/scans/scan-counters.ts'
import { recountAll } from './recount.ts'
import { batchesSettled } from './settled-batches.ts'

/**
 * Compares what is derived from scans with the scans themselves, and makes it right: the first scan of every visitor, and the counters of
 * every code, also of those that have none. Gives by how many scans each organization was corrected. Scans may come in meanwhile; doing so
 * again changes nothing.
 */
export async function checkFigures(
  db: Database,
  store: ScanStore,
  signal: AbortSignal,
): Promise<OrganizationScans[]> {
  await findFirstScans(store, signal)
  await batchesSettled(db, signal)
  return await recountAll(db, store, { signal, codes: 'all' })
}
