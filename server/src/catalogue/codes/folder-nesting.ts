import { problem, type Problem } from '@everscan/contract/problems/problem.ts'
import { lockName, tag, type Database } from '../../db/database.ts'
import { isOneOf } from '../../db/dialects/row-sets.ts'
import type { ApiError } from '../../errors.ts'
import { validationError } from '../../request-errors.ts'

/** Identifies a folder. An id of another organization finds no folder. */
export type FolderKey = { organizationId: string; id: string }

/**
 * Serializes changes of nesting: two changes that are each valid could together nest two levels.
 */
export async function lockFolders(tx: Database, organizationId: string): Promise<void> {
  await lockName(tx, `folders ${organizationId}`)
}

/** Throws ApiError 400 if the parent cannot contain folders. */
export async function requireTopFolder(tx: Database, parent: FolderKey): Promise<void> {
  await lockFolders(tx, parent.organizationId)
  const folder = await tx.kysely
    .selectFrom('folders')
    .select('parent_id as parentId')
    .where('organization_id', '=', parent.organizationId)
    .where('id', '=', parent.id)
    .executeTakeFirst()
  if (folder === undefined) throw wrongParent(problem('noSuchFolder', { got: parent.id }))
  if (folder.parentId !== null) throw wrongParent(problem('folderNotAtTop'))
}

/** Throws ApiError 400 if an existing folder cannot move into this parent. */
export async function requireNestable(
  tx: Database,
  { organizationId, id }: FolderKey,
  parentId: string,
): Promise<void> {
  if (parentId === id) throw wrongParent(problem('folderInItself'))
  await requireTopFolder(tx, { organizationId, id: parentId })
  const child = await tx.kysely
    .selectFrom('folders')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('parent_id', '=', id)
    .limit(1)
    .executeTakeFirst()
  if (child !== undefined) throw wrongParent(problem('folderHasFolders'))
}

/** Returns a folder and those below it, or null for codes without a folder. */
export async function foldersBelow(
  db: Database,
  organizationId: string,
  folderId: string,
): Promise<readonly string[] | null> {
  if (folderId === 'none') return null
  const found = new Set<string>()
  for (let level = [folderId]; level.length > 0;) {
    for (const id of level) found.add(id)
    const below = await db.kysely
      .selectFrom('folders')
      .select('id')
      .where('organization_id', '=', organizationId)
      .where(isOneOf(db, 'parent_id', level))
      .modifyEnd(tag('catalogue.foldersBelow'))
      .execute()
    level = below.map(({ id }) => id).filter((id) => !found.has(id))
  }
  return [...found].sort((a, b) => (a < b ? -1 : Number(a > b)))
}

function wrongParent(found: Problem): ApiError {
  return validationError([{ path: 'parentId', ...found }])
}
