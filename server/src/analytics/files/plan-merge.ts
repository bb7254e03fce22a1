import type { ScanSegment } from './manifest.ts'

/** Records of a month become a file when there are so many, or when they have so many rows. */
const recordsMax = 300
const recordRowsMax = 20_000
/** While the engine sleeps, records wait for a reader, or until they have so many rows. */
const waitingRowsMax = 5_000
/** As many files of a level become one of the next. */
const filesMax = 12
/** The rows of records that are combined in memory at once, and of a merged file. */
const combinedRowsMax = 200_000
const mergedRowsMax = 1_000_000
/** A file that has so many rows is not merged again. */
const finalRows = 250_000

/**
 * Returns the ids of listed files that should become one, all of one month, and either records or
 * files of one level; or undefined if there is nothing to do. Records come first, because readers
 * have them in memory. It goes by rows and not by age: imports fill months that are long over.
 * With batches of any size, a row is written at most five times, the record included.
 */
export function planMerge(segments: readonly ScanSegment[]): string[] | undefined {
  return chosenOf(segments)?.map(({ id }) => id)
}

/** Whether what `planMerge` returns is worth starting the engine that would do it. */
export function isMergeUrgent(segments: readonly ScanSegment[]): boolean {
  const chosen = chosenOf(segments) ?? []
  return chosen.some(({ level }) => level > 0) || rowsOf(chosen) >= waitingRowsMax
}

function chosenOf(segments: readonly ScanSegment[]): ScanSegment[] | undefined {
  const growing = segments.filter(({ level, rows }) => level === 0 || rows < finalRows)
  const groups = Map.groupBy(growing, ({ level, stretches }) => `${stretches[0]?.month} ${level}`)
  const plans = [...groups.values()].flatMap((group) => {
    const level = group[0]?.level ?? 0
    if (level === 0) return areRecordsDue(group) ? [{ level, chosen: firstUpTo(group, combinedRowsMax) }] : []
    return group.length < filesMax ? [] : [{ level, chosen: firstUpTo(group, mergedRowsMax) }]
  })
  const [first] = plans.toSorted((one, other) => one.level - other.level)
  return first?.chosen
}

function areRecordsDue(records: readonly ScanSegment[]): boolean {
  return records.length >= recordsMax || rowsOf(records) >= recordRowsMax
}

/** Returns the first segments that have at most so many rows, and at least one. */
function firstUpTo(segments: readonly ScanSegment[], rowsMax: number): ScanSegment[] {
  let rows = 0
  return segments.filter((segment, at) => (rows += segment.rows) <= rowsMax || at === 0)
}

function rowsOf(segments: readonly ScanSegment[]): number {
  return segments.reduce((sum, { rows }) => sum + rows, 0)
}
