import type { MatrixSides, ScanMatrix } from '../scan-store.ts'
import type { BreakdownRow } from './figures.ts'

/** The number of a cell is the position of its row times this, plus that of its column. */
export const positionsMax = 256
/** The position of a value on no side. Sides are shorter, and two positions fit in 16 bits. */
export const noPosition = positionsMax - 1

/** Arranges the cells of a breakdown. `other` is the rest of all scans. */
export function matrixOf(
  { rows, columns }: MatrixSides,
  groups: readonly BreakdownRow[],
  totalScans: number,
): ScanMatrix {
  const cells = new Map(
    groups.filter(({ dimension }) => dimension === 'matrix').map(({ value, scans }) => [value, scans]),
  )
  const cellOf = (row: number, column: number) => cells.get(String(row * positionsMax + column)) ?? 0
  const scans = rows.map((_, row) => columns.map((__, column) => cellOf(row, column)))
  const counted = scans.flat().reduce((sum, count) => sum + count, 0)
  return { rows: [...rows], columns: [...columns], scans, other: totalScans - counted }
}
