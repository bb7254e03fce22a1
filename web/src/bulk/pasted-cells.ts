import { parse } from 'csv-parse/browser/esm/sync'
import type { SavedStyle } from '@everscan/contract/resources/saved-styles.ts'
import { tableWords } from '../words/bulk-table-words.ts'
import { readCell, type FolderLabel } from './bulk-csv.ts'
import { bulkFields, type BulkField, type BulkRow } from './bulk-rows.ts'
import type { CellValue } from './use-bulk-rows.ts'

type Place = {
  rows: readonly BulkRow[]
  id: string
  field: BulkField
  names: { folders: readonly FolderLabel[]; styles: readonly SavedStyle[] }
}

/**
 * Returns the cells that a part of a spreadsheet fills, from one cell on to the right and down, and
 * the first problem of a cell that it cannot fill.
 */
export function pastedCells(
  pasted: string,
  { rows, id, field, names }: Place,
): { values: CellValue[]; problem: string | undefined } {
  const lines: string[][] = parse(pasted, {
    delimiter: '\t',
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_quotes: true,
    relax_column_count: true,
  })
  const [firstRow, firstField] = [rows.findIndex(({ code }) => code.id === id), bulkFields.indexOf(field)]
  const values: CellValue[] = []
  let problem: string | undefined
  for (const [down, line] of lines.entries()) {
    const row = rows[firstRow + down]
    if (row === undefined) break
    for (const [right, cell] of line.entries()) {
      const filled = bulkFields[firstField + right]
      if (filled === undefined) break
      const value = readCell(cell, filled, { row, ...names })
      if (typeof value === 'string') values.push({ id: row.code.id, field: filled, value })
      else problem ??= tableWords.pasteProblem(row.code.name, value.problem)
    }
  }
  return { values, problem }
}
