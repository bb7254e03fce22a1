import type { ScanSegment } from '../../analytics/files/manifest.ts'
import type { OwnMetrics } from '../../processes/metrics.ts'

/** The files of scans that count now. */
export type ListedFacts = {
  segments: readonly ScanSegment[]
  /** When all were last read whole, but for those that were written since. */
  readAtMs: number
}

/** Adds figures of files of scans. `read` returns undefined if none are known. */
export function addFileMetrics(metrics: OwnMetrics, read: () => ListedFacts | undefined): void {
  const sums = () => {
    const segments = read()?.segments
    return segments && Map.groupBy(segments, ({ level }) => (level === 0 ? 'waiting' : 'merged'))
  }
  const byState = (sum: (segments: readonly ScanSegment[]) => number) => () => {
    const groups = sums()
    return (['merged', 'waiting'] as const).map(
      (state) => [{ state }, groups && sum(groups.get(state) ?? [])] as const,
    )
  }
  metrics.labelled({
    scan_files: [
      'Files of scans that are merged, and records of batches that wait for a merge',
      byState((segments) => segments.length),
    ],
    scan_files_bytes: [
      'Bytes of these files and records',
      byState((segments) => segments.reduce((bytes, segment) => bytes + segment.bytes, 0)),
    ],
    scan_files_read_age_seconds: [
      'Time since all files of scans were read whole, which shows damage',
      () => {
        const facts = read()
        return [[{}, facts && Math.max(0, Date.now() - facts.readAtMs) / 1000]]
      },
    ],
  })
}
