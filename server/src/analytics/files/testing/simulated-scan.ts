import { sumOf, type CodeCounts } from '../code-counts.ts'

export type SimulatedScan = {
  writer: string
  sequence: number
  /** A month has ten of them. */
  timeMs: number
  code: string
  visitor: string
  isUnique: boolean
}

export const monthOf = ({ timeMs }: Pick<SimulatedScan, 'timeMs'>): number => Math.floor(timeMs / 10)
export const placeOf = (scan: SimulatedScan) => ({ ...scan, month: monthOf(scan) })
export const nameOf = ({ writer, sequence }: SimulatedScan): string => `${writer} ${sequence}`

export function countRows(rows: readonly SimulatedScan[]): CodeCounts {
  return sumOf(
    rows.map(({ code, isUnique }) => new Map([[code, { scans: 1, uniqueScans: Number(isUnique) }]])),
  )
}
