import { problem } from '../problems/local-problem.ts'
import type { Problem } from '../problems/problem.ts'
import { patterns } from '../schema/patterns.ts'
import { optional, required, type ImportColumn } from './code-type.ts'
import { codeType, type QrCodeType } from './code-types.ts'

/**
 * Extra columns in files of rejected rows. An import ignores them, so such a file can be imported
 * as it is.
 */
export const importErrorColumns = ['row', 'error'] as const

const delimiters = [',', ';', '\t'] as const
const separatorForm = /^\ufeff?sep=([,;\t|])(?:\r\n?|\n)/i

/**
 * Returns the delimiter of a CSV text: the comma, semicolon or tab that is most frequent in the
 * first row, outside of quotes.
 */
export function importDelimiter(head: string): string {
  const [row = ''] = withoutQuoted(head)
    .trimStart()
    .split(/[\n\r]/, 1)
  const counts = delimiters.map((delimiter) => ({ delimiter, count: row.split(delimiter).length }))
  return counts.reduce((most, one) => (one.count > most.count ? one : most)).delimiter
}

/**
 * Returns the line `sep=;` with which some spreadsheets begin a file, and the delimiter it names.
 * It is no row.
 */
export function importSeparatorLine(head: string): { text: string; delimiter: string } | undefined {
  const [text, delimiter] = separatorForm.exec(head) ?? []
  return text === undefined || delimiter === undefined ? undefined : { text, delimiter }
}

/** Removes everything inside quotes. */
export function withoutQuoted(text: string): string {
  return text.replaceAll(/"[^"]*("|$)/g, '"')
}

/**
 * Returns every import column of a type with a fixed name, in the order of the template. Semicolons
 * separate the tags in a cell. An empty domain is the default one. Besides, every type has a column
 * `metadata.KEY` for each key of its metadata (`metadataKeyOf`).
 */
export function importColumns(type: QrCodeType): readonly ImportColumn[] {
  return [
    required('name', 'Spring poster'),
    ...codeType(type).importColumns,
    optional('folder', 'Spring campaign'),
    optional('tags', 'spring;print'),
    // No examples: the template can be imported again, and its code is the newest in the list.
    optional('shortCode', ''),
    optional('domain', ''),
    optional('createdAt', ''),
    optional('status', 'ACTIVE'),
  ]
}

/** Names of the columns that every type has, apart from `metadata.KEY`. */
export const commonImportColumns: ReadonlySet<string> = new Set([
  'name',
  'folder',
  'tags',
  'shortCode',
  'domain',
  'createdAt',
  'status',
])

/** Returns the columns of the template of a type, one of metadata among them. */
export function importTemplate(type: QrCodeType): readonly ImportColumn[] {
  return [...importColumns(type), optional(metadataColumn('campaign'), 'spring-2026')]
}

const metadataPrefix = 'metadata.'
const metadataKey = new RegExp(patterns.metadataKey)

/** Returns the name of the column with the metadata of a key. */
export function metadataColumn(key: string): string {
  return `${metadataPrefix}${key}`
}

/**
 * Returns the key in the name of a column of metadata, in its letter case, and of any other name
 * undefined. The letter case of the prefix does not matter. `importColumnOf` knows whether the key
 * is valid.
 *
 * @example metadataKeyOf('Metadata.orderNo') // 'orderNo'
 */
export function metadataKeyOf(name: string): string | undefined {
  const trimmed = name.trim()
  if (!trimmed.toLowerCase().startsWith(metadataPrefix)) return undefined
  return trimmed.slice(metadataPrefix.length).trim()
}

/** Returns a name of a column as it is compared: names that are the same column are equal. */
export function foldedColumn(name: string): string {
  const key = metadataKeyOf(name)
  return key === undefined ? name.trim().toLowerCase() : metadataColumn(key)
}

/** Returns what is wrong with a name of a column of metadata, or undefined. */
export function metadataColumnProblem(name: string): Problem | undefined {
  const key = metadataKeyOf(name)
  if (key === undefined || metadataKey.test(key)) return undefined
  return problem('metadataKeyOfColumn')
}

/**
 * Returns the column of a type that a name stands for: in any letter case, except for the keys of
 * metadata. Undefined if the type has no such column.
 *
 * @example importColumnOf('URL', 'URL') // 'url'
 */
export function importColumnOf(type: QrCodeType, name: string): string | undefined {
  const key = metadataKeyOf(name)
  if (key !== undefined) return metadataKey.test(key) ? metadataColumn(key) : undefined
  const folded = foldedColumn(name)
  return importColumns(type).find((column) => foldedColumn(column.name) === folded)?.name
}
