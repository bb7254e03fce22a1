import type { SelectionQuery } from '@everscan/contract/resources/analytics.ts'
import type { QrCodeType } from '@everscan/contract/code-types/code-types.ts'
import { normalizeTags } from '@everscan/contract/resources/tags.ts'
import type { QrCodeStatus } from '@everscan/contract/resources/qr-codes.ts'
import { tag, type Database, type DatabaseSource } from '../../db/database.ts'
import { isOneOf } from '../../db/dialects/row-sets.ts'
import { countCodes } from '../../db/lists/qr-code-counts.ts'
import {
  countCodesEver,
  selectCodes,
  selectedIdsByName,
  selectOtherCodes,
  type CodeSelection,
  type SelectedCodes,
} from '../../db/lists/selected-codes.ts'
import { foldersBelow } from './folder-nesting.ts'

/** The codes that a query selects, without deleted ones. */
export type SelectedQrCodes = SelectedCodes & {
  /**
   * The codes that the organization has or had besides these, if they are fewer. Absent: the
   * selected codes are fewer.
   */
  others?: { total: number; ids: string }
}

/** Whether a query selects codes. Otherwise it is about all codes, with deleted ones. */
export function isSelection(query: SelectionQuery): boolean {
  const { folderId, tag: tags, type, ids } = query
  return folderId !== undefined || type !== undefined || ids !== undefined || (tags ?? []).length > 0
}

/**
 * Reads the codes that match all parameters of a query: a folder with those below it, every tag, a
 * type, ids. What the organization does not have selects nothing.
 */
export async function readSelectedQrCodes(
  db: Database,
  organizationId: string,
  query: SelectionQuery,
): Promise<SelectedQrCodes> {
  const selection = await selectionOf(db, organizationId, query)
  if (db.kysely.isTransaction) return read(db, selection)
  const cached: CachedSelections = cachedSelections.get(db.source) ?? new Map()
  cachedSelections.set(db.source, cached)
  const key = JSON.stringify(selection)
  // Read first: a change meanwhile makes the cached codes newer than their revision, and then they
  // are read once more.
  const { revision } = await countCodes(db, { organizationId })
  const known = cached.get(key)
  cached.delete(key)
  const selected = known?.revision === revision ? known.selected : await read(db, selection)
  // Least recently used first: re-insertion moves the entry to the end.
  cached.set(key, { selected, revision })
  let chars = 0
  for (const entry of cached.values()) chars += charsOf(entry.selected)
  for (const [oldest, entry] of cached) {
    if (chars <= cachedCharsMax) break
    cached.delete(oldest)
    chars -= charsOf(entry.selected)
  }
  return selected
}

/** Returns the ids on one page of a selection by name, as codes are listed. */
export async function selectedQrCodesByName(
  db: Database,
  organizationId: string,
  { query, ...page }: { query: SelectionQuery; order: 'asc' | 'desc'; offset: number; limit: number },
): Promise<string[]> {
  return selectedIdsByName(db, await selectionOf(db, organizationId, query), page)
}

/** Selections by their conditions, each with the organization's revision at that time. */
type CachedSelections = Map<string, { selected: SelectedQrCodes; revision: number }>

/** Ids of about a million codes. */
const cachedCharsMax = 32_000_000
const cachedSelections = new WeakMap<DatabaseSource, CachedSelections>()

function charsOf({ ids, others }: SelectedQrCodes): number {
  // An empty selection takes memory, too.
  return 1_000 + ids.length + (others?.ids.length ?? 0)
}

async function read(db: Database, selection: CodeSelection): Promise<SelectedQrCodes> {
  const selected = await selectCodes(db, selection)
  const ever = await countCodesEver(db, selection.organizationId)
  return selected.total * 2 <= ever
    ? selected
    : { ...selected, others: await selectOtherCodes(db, selection) }
}

async function selectionOf(
  db: Database,
  organizationId: string,
  { folderId, type, tag: tags = [], ids }: SelectionQuery,
): Promise<CodeSelection> {
  return {
    organizationId,
    folderIds: folderId === undefined ? undefined : await foldersBelow(db, organizationId, folderId),
    type,
    tags: normalizeTags(tags),
    ids,
  }
}

/** A code in a table of figures. */
export type QrCodeTableRow = {
  qrCodeId: string
  name: string
  shortCode: string
  type: QrCodeType
  status: QrCodeStatus
  folderId: string | null
}

/** Reads rows of a table by id. The map omits codes that the organization does not have. */
export async function readQrCodeTableRows(
  db: Database,
  organizationId: string,
  ids: readonly string[],
): Promise<Map<string, QrCodeTableRow>> {
  if (ids.length === 0) return new Map()
  const rows = await db.kysely
    .selectFrom('qr_codes as q')
    .innerJoin('short_codes as s', 's.canonical_code', 'q.canonical_code')
    .select([
      'q.id as qrCodeId',
      'q.name',
      's.short_code as shortCode',
      'q.type',
      'q.status',
      'q.folder_id as folderId',
    ])
    .where('q.organization_id', '=', organizationId)
    .where(isOneOf(db, 'q.id', ids))
    .modifyEnd(tag('catalogue.readQrCodeTableRows'))
    .execute()
  return new Map(rows.map((row) => [row.qrCodeId, row]))
}

/**
 * Reads short codes and names for an export, also of deleted codes, which have lost their name.
 */
export async function readExportedQrCodes(
  db: Database,
  organizationId: string,
  ids: readonly string[],
): Promise<Map<string, { shortCode: string; name: string }>> {
  if (ids.length === 0) return new Map()
  const rows = await db.kysely
    .selectFrom('short_codes as s')
    .leftJoin('qr_codes as q', 'q.canonical_code', 's.canonical_code')
    .select(['s.qr_code_id as qrCodeId', 's.short_code as shortCode', 'q.name'])
    .where('s.organization_id', '=', organizationId)
    .where(isOneOf(db, 's.qr_code_id', ids))
    .modifyEnd(tag('catalogue.readExportedQrCodes'))
    .execute()
  return new Map(rows.map(({ qrCodeId, shortCode, name }) => [qrCodeId, { shortCode, name: name ?? '' }]))
}
