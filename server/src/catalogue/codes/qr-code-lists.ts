import { normalizeTags } from '@everscan/contract/resources/tags.ts'
import type { ListQrCodesQuery } from '@everscan/contract/resources/qr-codes.ts'
import { tag, type Database, type DatabaseSource } from '../../db/database.ts'
import { countCodes, countTagged, type CodeCounts } from '../../db/lists/qr-code-counts.ts'
import { countMatches, idsOfPage } from '../../db/lists/qr-code-lists.ts'
import type { CodeFilter } from '../../db/lists/list-plans.ts'
import { isSearchIndexed } from '../../db/lists/search-index.ts'
import { foldersBelow } from './folder-nesting.ts'
import { completeQrCodes, selectQrCodes } from './qr-code-rows.ts'
import type { QrCodeRow } from '../rows/qr-code-row.ts'
import { wordsAnywhere, wordsOfName } from './search-words.ts'

/** The query of the list with page and limit set. A code must have every `tag`. */
export type ListQrCodes = Pick<
  ListQrCodesQuery,
  | 'type'
  | 'folderId'
  | 'domainId'
  | 'subfolders'
  | 'search'
  | 'q'
  | 'status'
  | 'state'
  | 'tag'
  | 'sort'
  | 'order'
> & {
  page: number
  limit: number
  /** The beginning of short URLs, for a pasted one in `q`. */
  publicUrl?: string
  /** The time of `state`, in milliseconds since 1970. */
  nowMs?: number
}

/**
 * Returns a page of an organization's codes and the total of matches. Equal values are ordered by
 * creation.
 */
export async function listQrCodes(
  db: Database,
  organizationId: string,
  query: ListQrCodes,
): Promise<{ rows: QrCodeRow[]; total: number }> {
  const { page, limit, sort = 'createdAt', order = 'desc' } = query
  const filter = await filterOf(db, organizationId, query)
  const counts = await countCodes(db, filter)
  const total = await totalOf(db, filter, counts)
  const offset = (page - 1) * limit
  if (offset >= total) return { rows: [], total }
  const ids = await idsOfPage(db, filter, { sort, order, offset, limit, total, counts })
  return { rows: await readInOrder(db, organizationId, ids), total }
}

/** Counts the codes of an organization that match. */
export async function countQrCodes(
  db: Database,
  organizationId: string,
  query: Omit<ListQrCodes, 'page' | 'limit'>,
): Promise<number> {
  const filter = await filterOf(db, organizationId, query)
  return totalOf(db, filter, await countCodes(db, filter))
}

async function filterOf(
  db: Database,
  organizationId: string,
  query: Omit<ListQrCodes, 'page' | 'limit'>,
): Promise<CodeFilter> {
  const { type, status, state, domainId, search = '', q = '', tag: tags = [], sort, publicUrl } = query
  const { nowMs: atMs = Date.now() } = query
  const words = [...wordsOfName(search), ...wordsAnywhere(q, publicUrl)]
  const needsIndex = words.length > 0 || sort === 'name'
  return {
    organizationId,
    type,
    status,
    folderIds: await foldersOf(db, organizationId, query),
    words,
    isIndexed: !needsIndex || (await isSearchIndexed(db, organizationId)),
    tags: normalizeTags(tags),
    domainId: domainId === 'none' ? null : domainId,
    state: state && { is: state, atMs },
  }
}

async function foldersOf(
  db: Database,
  organizationId: string,
  { folderId, subfolders = false }: Pick<ListQrCodes, 'folderId' | 'subfolders'>,
): Promise<readonly string[] | null | undefined> {
  if (folderId === undefined) return undefined
  if (subfolders || folderId === 'none') return foldersBelow(db, organizationId, folderId)
  return [folderId]
}

/**
 * Totals of searches and of several tags, by filter, each with the organization's revision at that
 * time.
 */
type CachedTotals = Map<string, { total: number; revision: number }>

const cachedTotalsMax = 1_000
const cachedTotals = new WeakMap<DatabaseSource, CachedTotals>()

/**
 * Reads the totals of kinds and single tags from stored counts. Caches totals of searches and of
 * several tags until a code of the organization changes.
 */
async function totalOf(db: Database, filter: CodeFilter, counts: CodeCounts): Promise<number> {
  const { words, tags, folderIds, isIndexed, state, domainId } = filter
  const [firstTag] = tags
  // A state follows the clock, so its total is never cached.
  if (state !== undefined) return (await countMatches(db, filter, counts)).total
  const isCounted = words.length === 0 && domainId === undefined
  if (isCounted && firstTag === undefined) return counts.ofKind
  if (counts.ofKind === 0) return 0
  if (isCounted && firstTag !== undefined && tags.length === 1 && folderIds !== null)
    return countTagged(db, { ...filter, folderIds }, firstTag)
  // Never cached: a transaction may see rows that roll back, and the worker's update of search
  // columns is no change of a code.
  if (db.kysely.isTransaction || !isIndexed) return (await countMatches(db, filter, counts)).total
  const totals: CachedTotals = cachedTotals.get(db.source) ?? new Map()
  cachedTotals.set(db.source, totals)
  const key = JSON.stringify(filter)
  const known = totals.get(key)
  totals.delete(key)
  const found = known?.revision === counts.revision ? known : await countMatches(db, filter, counts)
  // Least recently used first: re-insertion moves the entry to the end, and the first entry is
  // evicted.
  totals.set(key, found)
  for (const oldest of totals.keys()) {
    if (totals.size <= cachedTotalsMax) break
    totals.delete(oldest)
  }
  return found.total
}

async function readInOrder(
  db: Database,
  organizationId: string,
  ids: readonly string[],
): Promise<QrCodeRow[]> {
  const selected = await selectQrCodes(db, organizationId)
    .where('q.id', 'in', ids)
    .modifyEnd(tag('catalogue.listQrCodes'))
    .execute()
  const rows = new Map((await completeQrCodes(db, selected)).map((row) => [row.id, row]))
  // Skips a code that was deleted a moment ago.
  return ids.flatMap((id) => rows.get(id) ?? [])
}
