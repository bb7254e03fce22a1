/** The columns of a file, in its order; null: the cells below are ignored. */
export type CellColumns = readonly (string | null)[]

/**
 * Returns the cells of a row with repaired values in their place. Cells beyond the columns are left
 * out: the person who repaired the row did not see them.
 */
export function repairCells(
  cells: readonly string[],
  columns: CellColumns,
  values: Readonly<Record<string, string>> | undefined,
): readonly string[] {
  if (values === undefined) return cells
  return columns.map((column, at) => (column === null ? undefined : values[column]) ?? cells[at] ?? '')
}

/**
 * Removes the apostrophe that spreadsheets hide before text which they would otherwise run or
 * calculate. Files that Everscan writes have it too.
 */
export function plainCell(text: string): string {
  return /^'[=+\-@\t\r]/.test(text) ? text.slice(1) : text
}

/** Returns the text of a row in a column, without white space around it; empty: it has none. */
export function cellIn(cells: readonly string[], columns: CellColumns, column: string): string {
  const at = columns.indexOf(column)
  return at < 0 ? '' : plainCell((cells[at] ?? '').trim())
}
