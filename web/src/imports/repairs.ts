import type { ImportRepairs, ImportRowError } from '@everscan/client/create-client.ts'

/** A column at fault in a row, and what is wrong with it. */
export type FaultyCell = { column: string; problem: string }

/**
 * Returns the cells of a failed row that its message blames, and the problem of the row as a whole.
 * A message names each column: `name: must not be empty; url: is required`.
 */
export function faultsOf({ error, values }: Pick<ImportRowError, 'error' | 'values'>): {
  cells: FaultyCell[]
  rowProblem: string | undefined
} {
  const columns = Object.keys(values ?? {})
  const cells: FaultyCell[] = []
  const others: string[] = []
  for (const part of error.split('; ')) {
    const column = columns.find((one) => part.startsWith(`${one}: `))
    const last = cells.at(-1)
    if (column !== undefined) cells.push({ column, problem: part.slice(column.length + 2) })
    // A problem may have a semicolon of its own.
    else if (last !== undefined) last.problem += `; ${part}`
    else others.push(part)
  }
  return { cells, rowProblem: others.length === 0 ? undefined : others.join('; ') }
}

/** Returns the repairs with another value of a cell. */
export function withRepair(
  repairs: ImportRepairs,
  { row, column, value }: { row: number; column: string; value: string },
): ImportRepairs {
  return { ...repairs, [row]: { ...repairs[row], [column]: value } }
}

/** Returns the rows that have another value than they failed with. */
export function changedRows(errors: readonly ImportRowError[], repairs: ImportRepairs): ImportRowError[] {
  return errors.filter(({ row, values }) =>
    Object.entries(repairs[row] ?? {}).some(([column, value]) => value !== (values?.[column] ?? '')),
  )
}

/** Writes failed rows with their repairs as a CSV file, which an import of the same type reads. */
export function repairedCsv(errors: readonly ImportRowError[], repairs: ImportRepairs): string {
  const rows = changedRows(errors, repairs).map(({ row, values }) => ({ ...values, ...repairs[row] }))
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  return [columns, ...rows.map((row) => columns.map((column) => row[column] ?? ''))]
    .map((cells) => `${cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')}\r\n`)
    .join('')
}
