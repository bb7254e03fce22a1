import { scanStoreReady } from '../../analytics/store/migrations.ts'
import { deleteScansBefore, findFirstScans, hasScansBefore } from '../../analytics/figures/old-scans.ts'
import type { ClickHouse } from '../../analytics/store/clickhouse.ts'
import type { Database } from '../../db/database.ts'
import { deleteOldScansOf, type RetainedScans, type RetentionOptions } from '../retention.ts'
import { batchesSettled } from '../settled-batches.ts'
import { recountAll } from './recount.ts'

const triesMax = 50

/** Deletes scans older than the retention: see `deleteOldScansOf`. */
export async function deleteOldScans(
  db: Database,
  nowMs: number,
  { store, ...options }: RetentionOptions & { store: ClickHouse },
): Promise<void> {
  const scans = retainedScans(db, store, options.signal)
  await deleteOldScansOf(db, nowMs, { scans, ...options })
}

function retainedScans(db: Database, store: ClickHouse, signal: AbortSignal): RetainedScans {
  return {
    deletedBeforeMs: () => undefined,
    // A copy of this store brings its own scans: only the catalogue knows the boundary.
    setDeletedBefore: async () => {},
    isReady: () => scanStoreReady(store),
    hasScansBefore: (beforeMs) => hasScansBefore(store, beforeMs),
    async deleteBefore(beforeMs, { mayDelete }) {
      await store.caughtUp(async () => {
        if (mayDelete) await deleteAllBefore(store, beforeMs, signal)
        await findFirstScans(store, signal)
        await batchesSettled(db, signal)
        await recountAll(db, store, { signal })
      })
      return true
    },
  }
}

/**
 * Repeats for scans that arrived in the meantime: some of their first scans could exist without
 * them.
 */
async function deleteAllBefore(store: ClickHouse, beforeMs: number, signal: AbortSignal): Promise<void> {
  for (let tries = 0; tries < triesMax && (await hasScansBefore(store, beforeMs)); tries++)
    await deleteScansBefore(store, beforeMs, signal)
}
