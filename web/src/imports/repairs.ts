import type { ImportRepairs, ImportRowError } from '@everscan/client/create-client.ts'
import { sayProblem } from '../words/problems/say-problem.ts'
import { sayProblems, type ToldAt, type ToldTogether } from '../words/problems/say-problems.ts'

/** A column at fault in a row, and what is wrong with it. */
export type FaultyCell = { column: string; problem: string }

/**
 * Returns the cells of a failed row that are at fault, and the problem of the row as a whole: it
 * may lack the column.
 */
export function faultsOf({ error, values, details }: FailedRow): {
  cells: FaultyCell[]
  rowProblem: string | undefined
} {
  const isCell = ({ path }: ToldAt) => Object.hasOwn(values ?? {}, path)
  const cells = (details ?? []).filter(isCell)
  const others = (details ?? []).filter((one) => !isCell(one))
  const message = cells.length === 0 ? error : others.map((one) => one.message).join('; ')
  return {
    cells: cells.map((told) => ({ column: told.path, problem: sayProblem(told) })),
    rowProblem: message === '' ? undefined : sayProblems({ message, details: others }),
  }
}

type FailedRow = Pick<ImportRowError, 'error' | 'values'> & Pick<ToldTogether, 'details'>

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
