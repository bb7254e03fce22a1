import type { ScanSegment } from './manifest.ts'

const dayMs = 86_400_000

/** Returns a text that is equal for segments whose scans begin and end on equal days (UTC). */
export function daysOf({ fromMs, toMs }: Pick<ScanSegment, 'fromMs' | 'toMs'>): string {
  return `${Math.floor(fromMs / dayMs)} ${Math.floor(toMs / dayMs)}`
}
