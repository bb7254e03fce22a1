import type { StoredDay } from '../insert/stored-scans.ts'
import type { SegmentBlock } from './segment-block.ts'

const dayMs = 86_400_000
/** More than days that a time can be of. */
const daysMax = 200_000

/** Returns the hits of each writer and day of a block; of those rows that are counted. */
export function daysOfBlock(
  block: SegmentBlock,
  isCounted: (row: number) => boolean = () => true,
): StoredDay[] {
  const { writer } = block.texts
  /** By the number of the writer and the day, which make one number. */
  const days = new Map<number, { row: number; hits: number }>()
  for (let row = 0; row < block.rows; row++) {
    if (!isCounted(row)) continue
    const key = (writer.numbers[row] ?? 0) * daysMax + dayAt(block, row)
    const known = days.get(key)
    if (known === undefined) days.set(key, { row, hits: 1 })
    else known.hits++
  }
  return [...days.values()].map(({ row, hits }) => ({
    writer: writer.valueOf(row),
    day: dayAt(block, row),
    hits,
  }))
}

function dayAt({ timeMs }: SegmentBlock, row: number): number {
  return Math.floor((timeMs[row] ?? 0) / dayMs)
}

/** Adds up the hits of the same writer and day. */
export function sumOfDays(all: readonly StoredDay[]): StoredDay[] {
  const sums = new Map<string, StoredDay>()
  for (const { writer, day, hits } of all) {
    const key = `${writer} ${day}`
    sums.set(key, { writer, day, hits: (sums.get(key)?.hits ?? 0) + hits })
  }
  return [...sums.values()]
}
