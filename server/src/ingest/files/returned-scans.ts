import type { SegmentBlock } from '../../analytics/files/segment-block.ts'
import { coverageOf, type Stretch } from '../../analytics/files/stretches.ts'

type IsRow = (row: number) => boolean

/** Returns which rows of a block the catalogue has as lost, or undefined if it has none. */
export function lostRows(lost: readonly Stretch[], block: SegmentBlock, month: number): IsRow | undefined {
  if (lost.length === 0) return undefined
  const isLost = coverageOf(lost)
  const { writer } = block.texts
  return (row) => isLost({ month, writer: writer.valueOf(row), sequence: Number(block.sequence[row]) })
}

/** Counts the scans among rows that came back, by organization. */
export function countReturned(counts: Map<string, number>, block: SegmentBlock, isReturned: IsRow): void {
  const { organizationId, class: kinds } = block.texts
  for (let row = 0; row < block.rows; row++) {
    if (kinds.valueOf(row) !== 'human' || !isReturned(row)) continue
    const id = organizationId.valueOf(row)
    counts.set(id, (counts.get(id) ?? 0) + 1)
  }
}
