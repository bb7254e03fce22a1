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
 * Returns every import column of a type, in the order of the template. Semicolons separate the tags
 * in a cell. An empty domain is the default one.
 */
export function importColumns(type: QrCodeType): readonly ImportColumn[] {
  return [
    required('name', 'Spring poster'),
    ...codeType(type).importColumns,
    optional('folder', 'Spring campaign'),
    optional('tags', 'spring;print'),
    optional('domain', ''),
  ]
}
