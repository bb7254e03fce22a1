import type { CodeFigures } from '@everscan/contract/resources/analytics-codes.ts'
import { analyticsWords } from '../words/analytics-words.ts'

/** Most rows of a file that a browser makes. Each hundred are a request. */
export const codesCsvMax = 5_000

/** Returns the table of codes as CSV (RFC 4180). */
export function codesCsv(rows: readonly CodeFigures[], folderNames: ReadonlyMap<string, string>): string {
  const lines = rows.map((row) => [
    row.qrCodeId,
    row.name,
    row.shortCode,
    row.type,
    row.status,
    row.folderId === null ? '' : (folderNames.get(row.folderId) ?? row.folderId),
    row.scans,
    row.percentage,
    row.uniqueScans,
    row.previousScans,
    row.change ?? '',
  ])
  return [analyticsWords.codes.csvColumns, ...lines].map((cells) => `${cells.map(cell).join()}\r\n`).join('')
}

function cell(value: string | number): string {
  if (typeof value === 'number') return String(value)
  // Spreadsheets run cells that begin so; an apostrophe makes them text.
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
