import { stringify } from 'csv-stringify/sync'

/**
 * Formats rows as CSV (RFC 4180). With `escapeFormulas`, cells that a spreadsheet would run get an
 * apostrophe, which makes them text.
 */
export function csvLines(
  rows: readonly (readonly string[])[],
  { escapeFormulas = false }: { escapeFormulas?: boolean } = {},
): string {
  return stringify(
    rows.map((row) => [...row]),
    { record_delimiter: '\r\n', escape_formulas: escapeFormulas, quoted_match: /[\r\n]/ },
  )
}
