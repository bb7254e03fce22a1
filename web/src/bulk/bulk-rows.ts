import type { BatchUpdates, TypedQrCode } from '@everscan/client/create-client.ts'
import { destinationsOf, qrCodeDataProblems } from '@everscan/contract/code-types/qr-code-data-problems.ts'
import type { SavedStyle } from '@everscan/contract/resources/saved-styles.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import { withScheme } from '../editor/content-schemas.ts'
import { isSame, plainProblem } from '../editor/code-drafts.ts'
import { tableWords } from '../words/bulk-table-words.ts'

/** The columns that can be edited, from left to right. */
export const bulkFields = ['name', 'url', 'folder', 'tags', 'look'] as const
export type BulkField = (typeof bulkFields)[number]

/**
 * The cells of a code. `folder` is an id, empty for none. `tags` are separated by commas. `look` is
 * the id of a saved style, or one of the two looks below.
 */
export type BulkCells = Readonly<Record<BulkField, string>>

/** Values of `look` that are no saved style. */
export const plainLook = 'plain'
export const ownLook = 'own'

/** A code as it was read, and the cells that the user changed. */
export type BulkRow = {
  code: TypedQrCode
  etag: string
  base: BulkCells
  changes: Partial<BulkCells>
  /** Why the service refused the changes. */
  problem?: string | undefined
  /** The code as somebody else changed it meanwhile. */
  theirs?: { code: TypedQrCode; etag: string } | undefined
  isGone?: boolean
}

export function bulkRow(code: TypedQrCode, etag: string, styles: readonly SavedStyle[]): BulkRow {
  return { code, etag, base: cellsOf(code, styles), changes: {} }
}

export function cellsOf(code: TypedQrCode, styles: readonly SavedStyle[]): BulkCells {
  const { name, folderId, tags, style } = code
  const saved = styles.find((one) => isSame(one.style, style))?.id
  const look = Object.keys(style).length === 0 ? plainLook : (saved ?? ownLook)
  return { name, url: urlOf(code) ?? '', folder: folderId ?? '', tags: tags.join(', '), look }
}

/** Returns the one address that a code leads to. Undefined for a code that is no link. */
export function urlOf({ type, data }: TypedQrCode): string | undefined {
  const isLink = destinationsOf(type, data).some(({ path }) => path === 'url')
  return isLink && 'url' in data && typeof data.url === 'string' ? data.url : undefined
}

const shownFields = [
  'ssid',
  'email',
  'phone',
  'text',
  'title',
  'firstName',
  'iosUrl',
  'androidUrl',
  'fallbackUrl',
]

/** Returns the content of a code that is no link, in a few words. */
export function contentText({ data }: TypedQrCode): string {
  const fields: Readonly<Record<string, unknown>> = data
  const field = shownFields.find((name) => typeof fields[name] === 'string' && fields[name] !== '')
  return field === undefined ? '' : String(fields[field])
}

export const cellOf = ({ base, changes }: BulkRow, field: BulkField): string => changes[field] ?? base[field]

/** Returns the row with a new value in a cell. The old value is no change. */
export function withCell(row: BulkRow, field: BulkField, value: string): BulkRow {
  if (field === 'url' && urlOf(row.code) === undefined) return row
  const { [field]: _old, ...others } = row.changes
  const changes = value === row.base[field] ? others : { ...others, [field]: value }
  return { ...row, changes, problem: undefined }
}

export const changedFields = ({ changes }: BulkRow): BulkField[] =>
  bulkFields.filter((field) => changes[field] !== undefined)

/** Returns the problems of changed cells. The service finds all others. */
export function rowProblems(row: BulkRow): Partial<Record<BulkField, string>> {
  const { name, url, tags } = row.changes
  const found = {
    name: name === undefined ? undefined : nameProblem(name),
    url: url === undefined ? undefined : urlProblem(row.code, url),
    tags: tags === undefined ? undefined : tagsProblem(tags),
  }
  return Object.fromEntries(Object.entries(found).filter(([, problem]) => problem !== undefined))
}

function nameProblem(name: string): string | undefined {
  if (name.trim() === '') return tableWords.bad.name
  return Array.from(name.trim()).length > limits.nameCharsMax
    ? tableWords.bad.nameLong(limits.nameCharsMax)
    : undefined
}

function urlProblem({ type, data }: TypedQrCode, url: string): string | undefined {
  const [problem] = qrCodeDataProblems(type, { ...data, url: withScheme(url) })
  return problem === undefined ? undefined : plainProblem(problem)
}

function tagsProblem(text: string): string | undefined {
  const tags = tagsOf(text)
  if (tags.length > limits.tagsMax) return tableWords.bad.tagsMany(limits.tagsMax)
  return tags.some((tag) => Array.from(tag).length > limits.tagCharsMax)
    ? tableWords.bad.tagLong(limits.tagCharsMax)
    : undefined
}

/** Returns typed tags as the service stores them: trimmed, each once. */
export function tagsOf(text: string): string[] {
  const tags = text.split(',').map((tag) => tag.trim().normalize('NFC'))
  return [...new Set(tags.filter((tag) => tag !== ''))]
}

/** Returns the changes to send for a row. */
export function updatesOf({ code, changes }: BulkRow): BatchUpdates {
  const { name, url, folder, tags, look } = changes
  return {
    ...(name !== undefined && { name: name.trim() }),
    // Only links have this cell, whatever else their type has.
    ...(url !== undefined && { data: { ...code.data, url: withScheme(url) } }),
    ...(folder !== undefined && { folderId: folder === '' ? null : folder }),
    ...(tags !== undefined && { tags: tagsOf(tags) }),
    ...(look !== undefined && { styleId: look === plainLook ? null : look }),
  }
}

/** Returns the changes that bring the given cells of a code back. */
export function restoring(before: TypedQrCode, fields: readonly BulkField[]): BatchUpdates {
  return {
    ...(fields.includes('name') && { name: before.name }),
    ...(fields.includes('url') && { data: before.data }),
    ...(fields.includes('folder') && { folderId: before.folderId }),
    ...(fields.includes('tags') && { tags: before.tags }),
    ...(fields.includes('look') && { styleId: null, style: before.style }),
  }
}
