import type { Problem } from '@everscan/contract/problems/problem.ts'
import type { MovedRow } from '../../catalogue/imports/import-chunks.ts'

/** Rows whose destinations are looked at in one step at most. */
const rowsPerStepMax = 50

/** Returns why destinations give no page; null: it gives one. */
export type LookAt = (urls: readonly string[]) => Promise<ReadonlyMap<string, Problem | null>>

/**
 * Looks at destinations of the next rows, and returns all rows with what was found. `urlOf` returns
 * undefined for a row that cannot come: it needs no look.
 */
export async function lookAtRows(
  rows: readonly MovedRow[],
  { lookAt, urlOf }: { lookAt: LookAt; urlOf: (row: MovedRow) => string | undefined },
): Promise<{ rows: MovedRow[]; lookedRows: number }> {
  const urls = new Map(rows.filter(isLeft).map((row) => [row, urlOf(row)] as const))
  const next = [...new Set([...urls.values()].filter((url) => url !== undefined))].slice(0, rowsPerStepMax)
  const found = next.length === 0 ? new Map<string, Problem | null>() : await lookAt(next)
  let lookedRows = 0
  const looked = rows.map((row): MovedRow => {
    if (!isLeft(row)) return row
    const url = urls.get(row)
    const warning = url === undefined ? null : found.get(url)
    if (warning === undefined) return row
    lookedRows++
    return { ...row, warning }
  })
  return { rows: looked, lookedRows }
}

/** Whether the destination of a row was not looked at yet. */
export function isLeft({ warning }: MovedRow): boolean {
  return warning === undefined
}
