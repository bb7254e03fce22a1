import { discardImportChunks } from '../../catalogue/imports/import-chunks.ts'
import { requireRoomForImport } from '../../catalogue/imports/imports.ts'
import type { ImportKey } from '../../catalogue/rows/import-row.ts'
import type { Database } from '../../db/database.ts'
import { createId } from '../../ids.ts'

/**
 * Returns what `save` makes of an upload, whose rows it saves under the id of the job that the
 * upload may become. Throws ApiError, and leaves nothing behind, if it cannot become one.
 */
export async function saveUpload<Saved>(
  db: Database,
  organizationId: string,
  save: (key: ImportKey) => Promise<Saved>,
): Promise<Saved> {
  // Before the file is received. The transaction that starts the import checks again.
  await requireRoomForImport(db, organizationId)
  const key = { organizationId, id: createId('job') }
  try {
    return await save(key)
  } catch (error) {
    await discardImportChunks(db, key).catch(() => undefined)
    throw error
  }
}
