import type { Database } from '../../db/database.ts'
import { deleteOldScansOf, type RetentionOptions } from '../retention.ts'
import type { FileBatches } from './file-batches.ts'

/**
 * Deletes scans in files that are older than the retention: see `deleteOldScansOf`. A deletion that
 * has begun is completed at its boundary also without a retention. If the files must be recovered
 * first, which ingest does, the next run deletes.
 */
export async function deleteOldScansInFiles(
  db: Database,
  nowMs: number,
  { batches, ...options }: RetentionOptions & { batches: FileBatches },
): Promise<void> {
  await deleteOldScansOf(db, nowMs, {
    ...options,
    scans: {
      deletedBeforeMs: () => batches.deletedBeforeMs,
      setDeletedBefore: (beforeMs) => batches.setDeletedBefore(beforeMs),
      isReady: () => batches.canStore(),
      hasScansBefore: (beforeMs) => batches.hasScansBefore(beforeMs),
      deleteBefore: (beforeMs) => batches.deleteBefore(beforeMs),
    },
  })
}
