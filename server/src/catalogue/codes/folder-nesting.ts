import { lockName, type Database } from '../../db/database.ts'
import { ApiError } from '../../errors.ts'

/** Names one folder: an id of another organization is an id of nothing. */
export type FolderKey = { organizationId: string; id: string }

/** Changes of what is in what take turns: two that are right alone could nest two levels together. */
export async function lockFolders(tx: Database, organizationId: string): Promise<void> {
  await lockName(tx, `folders ${organizationId}`)
}

/** Throws ApiError 400 for a parent that another folder cannot be put into. */
export async function requireTopFolder(tx: Database, parent: FolderKey): Promise<void> {
  await lockFolders(tx, parent.organizationId)
  const folder = await tx.kysely
    .selectFrom('folders')
    .select('parent_id as parentId')
    .where('organization_id', '=', parent.organizationId)
    .where('id', '=', parent.id)
    .executeTakeFirst()
  if (folder === undefined) throw wrongParent(`must be a folder of this organization, got "${parent.id}"`)
  if (folder.parentId !== null) throw wrongParent('must be a folder at the top: folders nest one level')
}

/** The same for a folder that is there already and would move. */
export async function requireNestable(
  tx: Database,
  { organizationId, id }: FolderKey,
  parentId: string,
): Promise<void> {
  if (parentId === id) throw wrongParent('must be another folder')
  await requireTopFolder(tx, { organizationId, id: parentId })
  const child = await tx.kysely
    .selectFrom('folders')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('parent_id', '=', id)
    .limit(1)
    .executeTakeFirst()
  if (child !== undefined)
    throw wrongParent('must be null, as this folder has folders in it: folders nest one level')
}

function wrongParent(message: string): ApiError {
  return new ApiError(400, 'VALIDATION_ERROR', `parentId: ${message}`, {
    details: [{ path: 'parentId', message }],
  })
}
