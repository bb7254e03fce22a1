import type { Dimension, ListedDimension } from '@everscan/contract/dimensions/dimensions.ts'

/**
 * The columns that rollups group scans by, a set for each rollup. Its projection is found by these
 * columns, and no others. A column may have several dimensions, a line of its text for each.
 */
export const rollups = [['place'], ['device', 'referrer'], ['language']] as const
export type RollupColumn = (typeof rollups)[number][number]

/**
 * A part of a column: a line from 1, or the rest from a line on. Without both, the column, or what
 * follows from it.
 */
type ColumnPart = { column: RollupColumn; line?: number; isRest?: true; read?: (text: string) => string }

const languageOf = (tag: string) => (tag === '' ? 'Unknown' : tag.replace(/-.*/s, ''))

/**
 * The value of each dimension in SQL, from columns of `scans`, and where rollups have it. Nothing
 * else from a request gets near the SQL. Scans store an unknown region or language as an empty
 * text. Codes have a rollup of their own (`scansByCodeSql`).
 */
export const dimensionColumns = {
  code: { sql: 'qr_code_id' },
  country: { sql: 'country', part: { column: 'place', line: 1 } },
  region: { sql: `if(region = '', 'Unknown', toString(region))`, part: { column: 'place', line: 2 } },
  city: { sql: 'city', part: { column: 'place', line: 3, isRest: true } },
  deviceType: { sql: 'device_type', part: { column: 'device', line: 1 } },
  os: { sql: 'os', part: { column: 'device', line: 2 } },
  browser: { sql: 'browser', part: { column: 'device', line: 3 } },
  referrer: { sql: 'referrer', part: { column: 'referrer' } },
  language: {
    sql: `if(language = '', 'Unknown', substringIndex(toString(language), '-', 1))`,
    part: { column: 'language', read: languageOf },
  },
  rule: { sql: `if(rule = '', 'none', toString(rule))` },
  arm: { sql: 'arm' },
} as const satisfies Record<ListedDimension, { sql: string; part: ColumnPart }> &
  Record<Exclude<Dimension, ListedDimension>, { sql: string }>

/** Returns SQL for the value of a listed dimension, from the column that rollups have. */
export function rolledSql(dimension: ListedDimension): { column: RollupColumn; sql: string } {
  const { column, line, isRest }: ColumnPart = dimensionColumns[dimension].part
  if (line === undefined) return { column, sql: `toString(${dimensionColumns[dimension].sql})` }
  const lines = `splitByChar('\\n', toString(${column}))`
  return {
    column,
    sql: isRest === true ? `arrayStringConcat(arraySlice(${lines}, ${line}), '\\n')` : `${lines}[${line}]`,
  }
}

/** Returns the value of a listed dimension, from a value of the column that rollups have. */
export function rolledValue(dimension: ListedDimension, text: string): string {
  const { line, isRest, read }: ColumnPart = dimensionColumns[dimension].part
  if (line === undefined) return read === undefined ? text : read(text)
  const lines = text.split('\n')
  return isRest === true ? lines.slice(line - 1).join('\n') : (lines[line - 1] ?? '')
}
