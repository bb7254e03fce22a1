import { isDeepStrictEqual } from 'node:util'
import type { CodeCount, CodeCounts } from '../code-counts.ts'
import { nobody, wrongOf } from './simulated-marks.ts'
import { countRows, nameOf, type SimulatedScan } from './simulated-scan.ts'
import { type CatalogueState, type SimulatedFolder } from './simulated-store.ts'

/** Returns sentences on what a store does not have as it was recorded, and should. */
export function problemsOf(
  { manifest: { segments }, counts }: CatalogueState,
  {
    folder,
    recorded,
    isExcused,
  }: {
    folder: SimulatedFolder
    recorded: readonly SimulatedScan[]
    /** Whether a scan may be gone. */
    isExcused: (scan: SimulatedScan) => boolean
  },
): string[] {
  const missing = segments.filter(({ id }) => folder.files.get(id)?.isGood !== true)
  if (missing.length > 0) return [`listed files are missing: ${missing.map(({ id }) => id).join(' ')}`]
  const rows = segments.flatMap(({ id }) => folder.rowsOf(id))
  const names = rows.map(nameOf)
  const stored = new Set(names)
  const before = folder.deletedBeforeMs
  const gone = recorded.filter((scan) => scan.timeMs >= before && !stored.has(nameOf(scan)))
  const unlisted = [...folder.files.values()].filter(
    ({ segment, isGood }) => isGood && !segments.some(({ id }) => id === segment.id),
  )
  const marked = rows.filter((scan) => scan.visitor === nobody && scan.isUnique)
  return [
    ...[...wrongOf(rows)].map((visitor) => `the marks of ${visitor} are wrong`),
    ...marked.map((scan) => `scan ${nameOf(scan)} of nobody is unique`),
    ...(stored.size < names.length ? ['a scan is in the store twice'] : []),
    ...gone.filter((scan) => !isExcused(scan)).map((scan) => `scan ${nameOf(scan)} is gone`),
    ...rows.filter(({ timeMs }) => timeMs < before).map((scan) => `scan ${nameOf(scan)} was deleted`),
    ...unlisted.map(({ segment }) => `${segment.id} is neither listed nor removed`),
    ...problemsOfCounts(counts, rows),
  ]
}

function problemsOfCounts(counts: CodeCounts, rows: readonly SimulatedScan[]): string[] {
  const stored = countRows(rows)
  return [...new Set([...counts.keys(), ...stored.keys()])].flatMap((code) =>
    isDeepStrictEqual(counts.get(code), stored.get(code))
      ? []
      : [
          `the counters of ${code} are ${textOf(counts.get(code))}, the store has ${textOf(stored.get(code))}`,
        ],
  )
}

function textOf(count: CodeCount | undefined): string {
  return `${count?.scans ?? 0} (${count?.uniqueScans ?? 0} unique)`
}
