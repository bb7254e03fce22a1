import { keptRows, tag, type Database } from '../db/database.ts'
import { insertRows, isOneOf } from '../db/row-sets.ts'
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

/**
 * Which of these folders the organization has. None of them is deleted before the transaction ends, so that a code can be
 * put in without looking again.
 */
export async function keepFolders(
  tx: Database,
  organizationId: string,
  ids: readonly string[],
): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const rows = await tx.kysely
    .selectFrom('folders')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where(isOneOf(tx, 'id', [...new Set(ids)]))
    .modifyEnd(keptRows(tx))
    .execute()
  return new Set(rows.map(({ id }) => id))
}

/**
 * The folders with these names, in any letter case, made when missing: folded name (`searchText`) → id. Where a nested folder
 * and one at the top have the same name, the one at the top is meant. None of them is deleted before the transaction ends.
 */
export async function ensureFolders(
  tx: Database,
  organizationId: string,
  { names, nowMs = Date.now() }: { names: readonly string[]; nowMs?: number },
): Promise<Map<string, string>> {
  const wanted = new Map(names.map((name) => [searchText(name), name]))
  const found = await findFolders(tx, organizationId, [...wanted.keys()])
  // In one order everywhere, so that two imports do not wait for each other.
  const missing = [...wanted].filter(([folded]) => !found.has(folded)).sort(byFolded)
  if (missing.length === 0) return found
  await insertRows(tx, 'folders', {
    rows: missing.map(([folded, name]) => ({
      organization_id: organizationId,
      id: createId('fld'),
      parent_id: null,
      name,
      name_search: folded,
      created_at_ms: nowMs,
      updated_at_ms: nowMs,
    })),
    // By another import at the same moment: then that one is found.
    skipTaken: true,
  })
  return findFolders(tx, organizationId, [...wanted.keys()])
}

function byFolded([one]: [string, string], [other]: [string, string]): number {
  return one < other ? -1 : 1
}

async function findFolders(
  tx: Database,
  organizationId: string,
  folded: readonly string[],
): Promise<Map<string, string>> {
  if (folded.length === 0) return new Map()
  const rows = await tx.kysely
    .selectFrom('folders')
    .select(['id', 'name_search as folded', 'parent_id as parentId'])
    .where('organization_id', '=', organizationId)
    .where(isOneOf(tx, 'name_search', folded))
    // The last of a name stands in the map: of several nested ones the oldest, before them all the one at the top.
    .orderBy('id', 'desc')
    .modifyEnd(keptRows(tx))
    .execute()
  const nestedFirst = [
    ...rows.filter((row) => row.parentId !== null),
    ...rows.filter((row) => row.parentId === null),
  ]
  return new Map(nestedFirst.map((row) => [row.folded, row.id]))
}

/** The answer when a code names a folder that its organization doesn't have. */
export function noSuchFolder(folderId: string, cause?: unknown): ApiError {
  const message = `must be a folder of this organization, got "${folderId}"`
  return new ApiError(400, 'VALIDATION_ERROR', `folderId: ${message}`, {
    cause,
    details: [{ path: 'folderId', message }],
  })
}
