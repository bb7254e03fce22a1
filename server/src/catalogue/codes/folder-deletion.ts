import { problem } from '@everscan/contract/problems/problem.ts'
import { sql } from 'kysely'
import { inTransaction, forUpdate, tag, type Database } from '../../db/database.ts'
import { isUniqueViolation } from '../../db/errors.ts'
import { ApiError } from '../../errors.ts'
import { recordAudit } from '../ledger/audit-log.ts'
import type { ChangeOrigin } from '../rows/change-origins.ts'
import { lockFolders, type FolderKey } from './folder-nesting.ts'
import { folderColumns, readFolder, type FolderRow } from './folders.ts'

/**
 * Codes removed from a folder per transaction, which blocks all other writers on SQLite. Few enough
 * for PostgreSQL to compare each with each, as it does while its statistics say that there are
 * none.
 */
const unfiledAtOnceMax = 1_000

/**
 * Deletes a folder and returns the deleted row, or undefined if the folder does not exist. The
 * codes in the folder are then in no folder, and its subfolders move to the top. Throws ApiError
 * 409 CONFLICT if a subfolder has the name of a folder at the top.
 */
export async function deleteFolder(
  db: Database,
  key: FolderKey,
  { origin, nowMs = Date.now() }: { origin: ChangeOrigin; nowMs?: number },
): Promise<FolderRow | undefined> {
  // Empties most of a large folder before the transaction. If the deletion then fails, the folder
  // keeps fewer codes.
  if ((await readFolder(db, key)) === undefined) return undefined
  while ((await unfileQrCodes(db, key, nowMs)) === unfiledAtOnceMax);
  const write = inTransaction(db, async (tx) => {
    await lockFolders(tx, key.organizationId)
    const folder = await tx.kysely
      .selectFrom('folders')
      .select(folderColumns)
      .where('organization_id', '=', key.organizationId)
      .where('id', '=', key.id)
      .modifyEnd(forUpdate(tx))
      .executeTakeFirst()
    if (folder === undefined) return undefined
    while ((await unfileQrCodes(tx, key, nowMs)) === unfiledAtOnceMax);
    await tx.kysely
      .updateTable('folders')
      .set({ parent_id: null, updated_at_ms: nowMs })
      .where('organization_id', '=', key.organizationId)
      .where('parent_id', '=', key.id)
      .execute()
    await tx.kysely
      .deleteFrom('folders')
      .where('organization_id', '=', key.organizationId)
      .where('id', '=', key.id)
      .modifyEnd(tag('catalogue.deleteFolder'))
      .execute()
    await recordAudit(tx, key.organizationId, [{ action: 'folder.delete', target: folder, origin, nowMs }])
    return folder
  })
  return write.catch((error: unknown) => {
    if (!isUniqueViolation(error)) throw error
    throw new ApiError(409, 'CONFLICT', problem('folderNamesMeet'), { cause: error })
  })
}

/** Removes up to `unfiledAtOnceMax` codes from a folder. Returns how many were removed. */
async function unfileQrCodes(
  db: Database,
  { organizationId, id }: FolderKey,
  nowMs: number,
): Promise<number> {
  return inTransaction(db, async (tx) => {
    const { numUpdatedRows } = await tx.kysely
      .updateTable('qr_codes')
      .set((set) => ({
        folder_id: null,
        version: sql<number>`version + 1`,
        // Searches do not know the folder: they stay as up to date as they are.
        search_version: sql<number>`search_version + 1`,
        updated_at_ms: set
          .case()
          .when('updated_at_ms', '>', nowMs)
          .then(set.ref('updated_at_ms'))
          .else(nowMs)
          .end(),
      }))
      .where('organization_id', '=', organizationId)
      // Repeats the condition of the subquery: PostgreSQL rechecks a concurrently moved row against
      // this condition only.
      .where('folder_id', '=', id)
      .where('id', 'in', (select) =>
        select
          .selectFrom('qr_codes as filed')
          .select('filed.id')
          .where('filed.organization_id', '=', organizationId)
          .where('filed.folder_id', '=', id)
          .limit(unfiledAtOnceMax),
      )
      .modifyEnd(tag('catalogue.unfileQrCodes'))
      .executeTakeFirst()
    return Number(numUpdatedRows)
  })
}
