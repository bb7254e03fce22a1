import { problem, type Problem } from '@everscan/contract/problems/problem.ts'
import { archivedScanColumns } from '../store/archived-scan-columns.ts'
import type { ScanRow } from './scan-row.ts'

/** A hit as an archive has it, without its owner and its place in a journal. */
export type ArchivedScan = Omit<ScanRow, 'organizationId' | 'domain' | 'writer' | 'sequence'> & {
  /** Whether the code was closed for the visitor. */
  isClosed: boolean
}

const textCharsMax = 500
const isText = (value: unknown) =>
  typeof value === 'string' && value.length <= textCharsMax && value.isWellFormed() && !value.includes('\0')
const isOneOf = (values: readonly string[]) => (value: unknown) => values.some((one) => one === value)
const isMatch = (pattern: RegExp) => (value: unknown) => typeof value === 'string' && pattern.test(value)
const isDegrees = (most: number) => (value: unknown) =>
  value === null || (typeof value === 'number' && Math.abs(value) <= most)

const checks: { [Column in keyof ArchivedScan]-?: (value: unknown) => boolean } = {
  qrCodeId: isMatch(/^qr_[0-9a-z]{26}$/),
  // Also exact ones.
  shortCode: isMatch(/^[0-9A-Za-z._~+/-]{0,128}$/),
  timeMs: (value) => Number.isSafeInteger(value) && Number(value) >= 0,
  visitor: isMatch(/^[0-9a-f]{32}$/),
  class: isOneOf(['human', 'bot', 'preview', 'prefetch']),
  botReason: isText,
  country: isMatch(/^[A-Z]{2}$/),
  city: isText,
  region: isText,
  latitude: isDegrees(90),
  longitude: isDegrees(180),
  deviceType: isOneOf(['mobile', 'desktop', 'tablet']),
  os: isText,
  browser: isText,
  referrer: isText,
  language: isText,
  rule: isText,
  arm: isText,
  isClosed: (value) => typeof value === 'boolean',
}

/** The columns that are stored. Whether a scan is unique follows from its visitor. */
const stored = Object.keys(checks) as (keyof ArchivedScan)[]

/** The same columns by their places in a line: there are millions of lines. */
const places = stored.map((name) => ({ name, at: archivedScanColumns.indexOf(name), isFit: checks[name] }))
const timeAt = archivedScanColumns.indexOf('timeMs')
const classAt = archivedScanColumns.indexOf('class')
const closedAt = archivedScanColumns.indexOf('isClosed')

/** Whether a line is the first one of a file of scans, which names the columns. */
export function isScanHeader(line: unknown): boolean {
  return (
    Array.isArray(line) &&
    line.length === archivedScanColumns.length &&
    archivedScanColumns.every((name, at) => line[at] === name)
  )
}

/** Returns why a line of a file of scans is no hit from at most `untilMs`, or undefined. */
export function archivedScanProblem(line: unknown, untilMs: number): Problem | undefined {
  if (!Array.isArray(line) || line.length !== archivedScanColumns.length)
    return problem('notScanArray', { count: archivedScanColumns.length })
  const values: readonly unknown[] = line
  for (const { name, at, isFit } of places)
    if (!isFit(values[at])) return problem('strangeScanValue', { column: name })
  if (values[closedAt] === true && values[classAt] !== 'bot') return problem('closedHitNotOfBot')
  return Number(values[timeAt]) > untilMs ? problem('scanInFuture') : undefined
}

/**
 * Reads a line of a file of scans. Returns the problem if it is not a hit from at most `untilMs`.
 */
export function readArchivedScan(line: unknown, untilMs: number): ArchivedScan | { problem: string } {
  const found = archivedScanProblem(line, untilMs)
  if (found !== undefined) return { problem: found.message }
  const hit: Record<string, unknown> = {}
  for (const { name, at } of places) hit[name] = (line as readonly unknown[])[at]
  // Every column was checked.
  return hit as ArchivedScan
}
