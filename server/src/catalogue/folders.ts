import { tag, type Database } from '../db/database.ts'
import { ApiError } from '../errors.ts'
import { createId } from '../ids.ts'
import { searchText } from './search-text.ts'

export type FolderRow = {
  organizationId: string
  id: string
  parentId: string | null
  name: string
  createdAtMs: number
  updatedAtMs: number
}

export type NewFolder = { name: string; parentId?: string | undefined; nowMs?: number }

const columns = [
  'organization_id as organizationId',
  'id',
  'parent_id as parentId',
  'name',
  'created_at_ms as createdAtMs',
  'updated_at_ms as updatedAtMs',
] as const

/** Makes a folder; undefined: the parent has one of that name already, in any letter case. */
export async function createFolder(
  db: Database,
  organizationId: string,
  { name, parentId, nowMs = Date.now() }: NewFolder,
): Promise<FolderRow | undefined> {
  return db.kysely
    .insertInto('folders')
    .values({
      organization_id: organizationId,
      id: createId('fld'),
      parent_id: parentId ?? null,
      name,
      name_search: searchText(name),
      created_at_ms: nowMs,
      updated_at_ms: nowMs,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning(columns)
    .executeTakeFirst()
}

/** Undefined: no such folder in that organization. */
export async function readFolder(
  db: Database,
  { organizationId, id }: { organizationId: string; id: string },
): Promise<FolderRow | undefined> {
  return db.kysely
    .selectFrom('folders')
    .select(columns)
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .modifyEnd(tag('catalogue.readFolder'))
    .executeTakeFirst()
}

/** The answer when a code names a folder that its organization doesn't have. */
export function noSuchFolder(folderId: string, cause?: unknown): ApiError {
  const message = `must be a folder of this organization, got "${folderId}"`
  return new ApiError(400, 'VALIDATION_ERROR', `folderId: ${message}`, {
    cause,
    details: [{ path: 'folderId', message }],
  })
}
