import { problem } from '@everscan/contract/problems/problem.ts'
import { conflictIn, inField } from '../../request-errors.ts'
import { hasWords, searchWords } from '@everscan/contract/schema/folding.ts'
import { inTransaction, forKeyShare, tag, type Database } from '../../db/database.ts'
import { isUniqueViolation } from '../../db/errors.ts'
import { insertRows, isOneOf } from '../../db/dialects/row-sets.ts'
import { ApiError } from '../../errors.ts'
import { createId } from '../../ids.ts'
import { recordAudit } from '../ledger/audit-log.ts'
import type { ChangeOrigin } from '../rows/change-origins.ts'
import { lockFolders, requireNestable, requireTopFolder, type FolderKey } from './folder-nesting.ts'
import { countInFolders } from '../../db/lists/qr-code-counts.ts'
import { searchText } from './search-text.ts'

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

/** The fields to change. A null `parentId` moves the folder to the top. */
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
 * Creates a folder. Returns undefined if a sibling has that name, in any letter case. Throws
 * ApiError 400 if the parent cannot contain folders.
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

/** Returns the folder, or undefined if the organization has no such folder. */
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

/** Returns a page of an organization's folders, newest first, and the total of matches. */
export async function listFolders(
  db: Database,
  organizationId: string,
  query: { page: number; limit: number; parentId?: string | undefined; search?: string | undefined },
): Promise<{ rows: FolderRow[]; total: number }> {
  const { page, limit, parentId, search = '' } = query
  const words = searchWords(search)
  let folders = db.kysely.selectFrom('folders').where('organization_id', '=', organizationId)
  if (parentId !== undefined) folders = folders.where('parent_id', '=', parentId)
  if (words.length > 0) {
    // Names are stored with their accents, by which folders beside each other may differ.
    const names = await folders.select(['id', 'name']).execute()
    const found = names.filter(({ name }) => hasWords(name, words)).map(({ id }) => id)
    folders = folders.where(isOneOf(db, 'id', found))
  }
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

/** Codes in a folder, and in the folders below it. */
export type FolderCounts = { own: number; below: number }

/** Counts the codes of each of these folders, with two queries for any number of folders. */
export async function countFolders(
  db: Database,
  organizationId: string,
  folderIds: readonly string[],
): Promise<Map<string, FolderCounts>> {
  if (folderIds.length === 0) return new Map()
  const children = await db.kysely
    .selectFrom('folders')
    .select(['id', 'parent_id as parentId'])
    .where('organization_id', '=', organizationId)
    .where(isOneOf(db, 'parent_id', folderIds))
    .modifyEnd(tag('catalogue.countFolders'))
    .execute()
  const ids = [...new Set([...folderIds, ...children.map(({ id }) => id)])]
  const codes = await countInFolders(db, organizationId, ids)
  const counts = new Map(folderIds.map((id) => [id, { own: codes.get(id) ?? 0, below: 0 }]))
  for (const { id, parentId } of children) {
    const parent = counts.get(parentId ?? '')
    if (parent !== undefined) parent.below += codes.get(id) ?? 0
  }
  return counts
}

/**
 * Changes the given fields of a folder. Returns undefined if the folder does not exist. Throws
 * ApiError 409 CONFLICT if a sibling has that name, and 400 if the parent cannot contain this
 * folder.
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

/** The error for a name that a sibling folder already has. */
export function folderNameTaken(cause?: unknown): ApiError {
  return conflictIn('name', problem('folderNameTaken'), cause)
}

/**
 * Returns which of these folders the organization has. Locks the rows until the transaction ends,
 * so that the caller can put codes into the folders without another check.
 */
export async function findAndLockFolders(
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
    .modifyEnd(forKeyShare(tx))
    .execute()
  return new Set(rows.map(({ id }) => id))
}

/**
 * Returns the ids of the folders with these names in any letter case, by folded name
 * (`searchText`). Creates missing folders. Prefers a folder at the top to a nested folder of the
 * same name. Locks the rows until the transaction ends.
 */
export async function ensureFolders(
  tx: Database,
  organizationId: string,
  { names, origin, nowMs = Date.now() }: { names: readonly string[]; origin: ChangeOrigin; nowMs?: number },
): Promise<Map<string, string>> {
  const namesByFolded = new Map(names.map((name) => [searchText(name), name]))
  const found = await findFolders(tx, organizationId, [...namesByFolded.keys()])
  // Every caller uses this order, so that two imports do not wait for each other.
  const missing = [...namesByFolded].filter(([folded]) => !found.has(folded)).sort(byFolded)
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
    // Another import may create the same folder at the same moment; the last query then finds it.
    skipTaken: true,
    returning: 'id',
  })
  const entries = drafts
    .filter(({ id }) => made.includes(id))
    .map((target) => ({ action: 'folder.create', target, origin, nowMs }) as const)
  await recordAudit(tx, organizationId, entries)
  return findFolders(tx, organizationId, [...namesByFolded.keys()])
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
    // The map keeps the last entry of each name: the folder at the top, else the oldest nested
    // folder.
    .orderBy('id', 'desc')
    .modifyEnd(forKeyShare(tx))
    .execute()
  const nestedFirst = [
    ...rows.filter((row) => row.parentId !== null),
    ...rows.filter((row) => row.parentId === null),
  ]
  return new Map(nestedFirst.map((row) => [row.folded, row.id]))
}

/** The error for a folder that the organization does not have. */
export function noSuchFolder(folderId: string, cause?: unknown): ApiError {
  const found = problem('noSuchFolder', { got: folderId })
  return new ApiError(400, 'VALIDATION_ERROR', inField('folderId', found), {
    cause,
    details: [{ path: 'folderId', ...found }],
  })
}
