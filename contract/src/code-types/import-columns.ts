import { optional, required, type ImportColumn } from './code-type.ts'
import { codeType, type QrCodeType } from './code-types.ts'

/** Columns that files of rejected rows have beside those of the import: they are passed over, so that such a file imports as it is. */
export const importErrorColumns = ['row', 'error'] as const

/** A column of a file: what it is, null when it is passed over, undefined when it is none of the type's or stands there twice. */
export type ImportFileColumn = { name: string; column: string | null | undefined; repeated: boolean }

/** What the columns of a file are, in any letter case, and which columns it should have and has not. */
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

/** What separates the columns of a CSV text: a comma, a semicolon or a tab, whichever its first row has most of outside of quotes. */
export function importDelimiter(head: string): string {
  const [row = ''] = withoutQuoted(head)
    .trimStart()
    .split(/[\n\r]/, 1)
  const counts = delimiters.map((delimiter) => ({ delimiter, count: row.split(delimiter).length }))
  return counts.reduce((most, one) => (one.count > most.count ? one : most)).delimiter
}

/** A text with nothing left in its quotes. */
export function withoutQuoted(text: string): string {
  return text.replaceAll(/"[^"]*("|$)/g, '"')
}

/** Every column of an import file for a type, in the order of the template. Tags in a cell are separated by semicolons. */
export function importColumns(type: QrCodeType): readonly ImportColumn[] {
  return [
    required('name', 'Spring poster'),
    ...codeType(type).importColumns,
    optional('folder', 'Spring campaign'),
    optional('tags', 'spring;print'),
  ]
}
