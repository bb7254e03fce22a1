import { findFirstScans } from '../../analytics/figures/old-scans.ts'
import type { ClickHouse } from '../../analytics/store/clickhouse.ts'
import type { Database } from '../../db/database.ts'
import type { OrganizationScans } from '../../db/scans/scan-counters.ts'
import { recountAll } from './recount.ts'
import { batchesSettled } from '../settled-batches.ts'

/**
 * Compares derived figures with the scans and corrects them: the first scan of every visitor, and
 * the counters of every code, including codes without scans. Returns the correction of each
 * organization's scans. Scans may arrive in the meantime. Safe to repeat.
 */
export async function checkFigures(
  db: Database,
  store: ClickHouse,
  signal: AbortSignal,
): Promise<OrganizationScans[]> {
  return await store.caughtUp(async () => {
    await findFirstScans(store, signal)
    await batchesSettled(db, signal)
    return await recountAll(db, store, { signal, codes: 'all' })
  })
}
