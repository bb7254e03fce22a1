import { optional, required, type ImportColumn } from './code-type.ts'
import { codeType, type QrCodeType } from './code-types.ts'

/**
 * Extra columns in files of rejected rows. An import ignores them, so such a file can be imported
 * as it is.
 */
export const importErrorColumns = ['row', 'error'] as const

/**
 * A column of a file. `column` is its name in the type, null if it is ignored, and undefined if the
 * type has no such column or the file has it twice.
 */
export type ImportFileColumn = { name: string; column: string | null | undefined; repeated: boolean }

/**
 * Identifies the columns of a file in any letter case, and lists the required columns that it
 * lacks.
 */
export function readImportHeader(
  type: QrCodeType,
  header: readonly string[],
): { columns: ImportFileColumn[]; missing: string[] } {
  const known = importColumns(type)
  const byName = new Map<string, string | null>([
    ...known.map(({ name }) => [name.toLowerCase(), name] as const),
    ...importErrorColumns.map((name) => [name, null] as const),
  ])
  const seen = new Set<string>()
  const columns = header.map((written) => {
    const name = written.trim()
    const folded = name.toLowerCase()
    const repeated = byName.has(folded) && seen.has(folded)
    seen.add(folded)
    return { name, column: repeated ? undefined : byName.get(folded), repeated }
  })
  const missing = known.filter(
    ({ name, required: isRequired }) => isRequired && !seen.has(name.toLowerCase()),
  )
  return { columns, missing: missing.map(({ name }) => name) }
}

const delimiters = [',', ';', '\t'] as const

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

/** Removes everything inside quotes. */
export function withoutQuoted(text: string): string {
  return text.replaceAll(/"[^"]*("|$)/g, '"')
}

/**
 * Returns every import column of a type, in the order of the template. Semicolons separate the tags
 * in a cell.
 */
export function importColumns(type: QrCodeType): readonly ImportColumn[] {
  return [
    required('name', 'Spring poster'),
    ...codeType(type).importColumns,
    optional('folder', 'Spring campaign'),
    optional('tags', 'spring;print'),
  ]
}
