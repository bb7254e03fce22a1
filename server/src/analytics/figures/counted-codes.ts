import type { CountedCode } from '../scan-store.ts'
import { percentage } from './figures.ts'

/** Returns the row of a code in a table, from its counts and all scans of the table's scope. */
export function countedCodeOf(
  { qrCodeId, scans, uniqueScans, previousScans }: Omit<CountedCode, 'percentage' | 'change'>,
  totalScans: number,
): CountedCode {
  return {
    qrCodeId,
    scans,
    uniqueScans,
    percentage: percentage(scans, totalScans),
    previousScans,
    change: changeOf(scans, previousScans),
  }
}

/** Returns a change in percent, with one decimal, or null if there was nothing before. */
function changeOf(scans: number, previousScans: number): number | null {
  if (previousScans === 0) return null
  return Math.round((1000 * (scans - previousScans)) / previousScans) / 10
}
