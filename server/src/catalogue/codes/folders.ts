import { sql, type SqlBool } from 'kysely'
import { inTransaction, keptRows, tag, type Database } from '../../db/database.ts'
import { isUniqueViolation } from '../../db/errors.ts'
import { insertRows, isOneOf } from '../../db/dialects/row-sets.ts'
import { ApiError } from '../../errors.ts'
import { createId } from '../../ids.ts'
import { recordAudit } from '../ledger/audit-log.ts'
import type { ChangeOrigin } from '../rows/change-origins.ts'
import { lockFolders, requireNestable, requireTopFolder, type FolderKey } from './folder-nesting.ts'
import { containsPattern, searchText } from './search-text.ts'

export type FolderRow = {
  organizationId: string
  id: string
  parentId: string | null
  name: string
  createdAtMs: number
  updatedAtMs: number
}

export type NewFolder = {
  name: string
  parentId?: string | null | undefined
  origin: ChangeOrigin
  nowMs?: number
}

/** What is given of a folder; a null `parentId` takes it to the top. */
export type FolderChanges = {
  name?: string | undefined
  parentId?: string | null | undefined
  origin: ChangeOrigin
  nowMs?: number
}

export const folderColumns = [
  'organization_id as organizationId',
  'id',
  'parent_id as parentId',
  'name',
  'created_at_ms as createdAtMs',
  'updated_at_ms as updatedAtMs',
] as const

/**
 * Makes a folder; undefined: there is one of that name beside it already, in any letter case. Throws ApiError 400 when it cannot be put
 * into the parent.
 */
export async function createFolder(
  db: Database,
  organizationId: string,
  { name, parentId = null, origin, nowMs = Date.now() }: NewFolder,
): Promise<FolderRow | undefined> {
  return inTransaction(db, async (tx) => {
    if (parentId !== null) await requireTopFolder(tx, { organizationId, id: parentId })
    const folder = await tx.kysely
      .insertInto('folders')
      .values({
        organization_id: organizationId,
        id: createId('fld'),
        parent_id: parentId,
        name,
        name_search: searchText(name),
        created_at_ms: nowMs,
        updated_at_ms: nowMs,
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning(folderColumns)
      .executeTakeFirst()
    if (folder !== undefined)
      await recordAudit(tx, organizationId, [{ action: 'folder.create', target: folder, origin, nowMs }])
    return folder
  })
}

/** Undefined: no such folder in that organization. */
export async function readFolder(
  db: Database,
  { organizationId, id }: FolderKey,
): Promise<FolderRow | undefined> {
  return db.kysely
    .selectFrom('folders')
    .select(folderColumns)
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .modifyEnd(tag('catalogue.readFolder'))
    .executeTakeFirst()
}

/** A page of an organization's folders, newest first, and how many match in all. */
export async function listFolders(
  db: Database,
  organizationId: string,
  query: { page: number; limit: number; parentId?: string | undefined; search?: string | undefined },
): Promise<{ rows: FolderRow[]; total: number }> {
  const { page, limit, parentId, search = '' } = query
  let folders = db.kysely.selectFrom('folders').where('organization_id', '=', organizationId)
  if (parentId !== undefined) folders = folders.where('parent_id', '=', parentId)
  if (search !== '')
    folders = folders.where(sql<SqlBool>`name_search like ${containsPattern(search)} escape '\\'`)
  const rows = await folders
    .select(folderColumns)
    .orderBy('created_at_ms', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset((page - 1) * limit)
    .modifyEnd(tag('catalogue.listFolders'))
    .execute()
  const { total } = await folders
    .select((select) => select.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return { rows, total }
}

/** How many codes are in each of these folders; a folder without codes is not in the map. */
export async function countFiledQrCodes(
  db: Database,
  organizationId: string,
  folderIds: readonly string[],
): Promise<Map<string | null, number>> {
  if (folderIds.length === 0) return new Map()
  const rows = await db.kysely
    .selectFrom('qr_codes')
    .select((select) => ['folder_id as folderId', select.fn.countAll<number>().as('count')])
    .where('organization_id', '=', organizationId)
    .where(isOneOf(db, 'folder_id', folderIds))
    .groupBy('folder_id')
    .modifyEnd(tag('catalogue.countFiledQrCodes'))
    .execute()
  return new Map(rows.map(({ folderId, count }) => [folderId, count]))
}

/**
 * Changes what is given of a folder; undefined: there is no such folder. Throws ApiError 409 CONFLICT for a name that is taken
 * there, and 400 when it cannot be put into the parent.
 */
export async function updateFolder(
  db: Database,
  key: FolderKey,
  { name, parentId, origin, nowMs = Date.now() }: FolderChanges,
): Promise<FolderRow | undefined> {
  const write = inTransaction(db, async (tx) => {
    await lockFolders(tx, key.organizationId)
    const before = await readFolder(tx, key)
    if (before === undefined || (name === undefined && parentId === undefined)) return before
    if (typeof parentId === 'string' && parentId !== before.parentId) await requireNestable(tx, key, parentId)
    const after = { name: name ?? before.name, parentId: parentId === undefined ? before.parentId : parentId }
    const fields = (['name', 'parentId'] as const).filter((field) => after[field] !== before[field])
    const folder = await tx.kysely
      .updateTable('folders')
      .set({
        name: after.name,
        name_search: searchText(after.name),
        parent_id: after.parentId,
        updated_at_ms: Math.max(nowMs, before.updatedAtMs),
      })
      .where('organization_id', '=', key.organizationId)
      .where('id', '=', key.id)
      .returning(folderColumns)
      .modifyEnd(tag('catalogue.updateFolder'))
      .executeTakeFirstOrThrow()
    const entry = { action: 'folder.update', target: folder, fields, origin, nowMs } as const
    await recordAudit(tx, key.organizationId, fields.length === 0 ? [] : [entry])
    return folder
  })
  return write.catch((error: unknown) => {
    throw isUniqueViolation(error) ? folderNameTaken(error) : error
  })
}

/** The answer when there is a folder of that name beside it. */
export function folderNameTaken(cause?: unknown): ApiError {
  return new ApiError(409, 'CONFLICT', 'name: is the name of another folder there, choose another', { cause })
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
  { names, origin, nowMs = Date.now() }: { names: readonly string[]; origin: ChangeOrigin; nowMs?: number },
): Promise<Map<string, string>> {
  const wanted = new Map(names.map((name) => [searchText(name), name]))
  const found = await findFolders(tx, organizationId, [...wanted.keys()])
  // In one order everywhere, so that two imports do not wait for each other.
  const missing = [...wanted].filter(([folded]) => !found.has(folded)).sort(byFolded)
  if (missing.length === 0) return found
  const drafts = missing.map(([folded, name]) => ({ id: createId('fld'), folded, name }))
  const made = await insertRows(tx, 'folders', {
    rows: drafts.map(({ id, folded, name }) => ({
      organization_id: organizationId,
      id,
      parent_id: null,
      name,
      name_search: folded,
      created_at_ms: nowMs,
      updated_at_ms: nowMs,
    })),
    // By another import at the same moment: then that one is found.
    skipTaken: true,
    returning: 'id',
  })
  const entries = drafts
    .filter(({ id }) => made.includes(id))
    .map((target) => ({ action: 'folder.create', target, origin, nowMs }) as const)
  await recordAudit(tx, organizationId, entries)
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
