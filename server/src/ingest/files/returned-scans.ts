import type { SegmentBlock } from '../../analytics/files/segment-block.ts'
import { byOrganization, type OrganizationScans } from '../../db/scans/scan-counters.ts'
import { coverageOf, type Stretch } from '../../analytics/files/stretches.ts'

type IsRow = (row: number) => boolean

/** Returns which rows of a block the catalogue has as lost, or undefined if it has none. */
export function lostRows(lost: readonly Stretch[], block: SegmentBlock, month: number): IsRow | undefined {
  if (lost.length === 0) return undefined
  const isLost = coverageOf(lost)
  const { writer } = block.texts
  return (row) => isLost({ month, writer: writer.valueOf(row), sequence: Number(block.sequence[row]) })
}

/** Returns the scans of people among rows that came back, by organization. */
export function returnedScans(block: SegmentBlock, isReturned: IsRow): OrganizationScans[] {
  const { organizationId, class: kinds } = block.texts
  const scans: OrganizationScans[] = []
  for (let row = 0; row < block.rows; row++)
    if (kinds.valueOf(row) === 'human' && isReturned(row))
      scans.push({ organizationId: organizationId.valueOf(row), scans: 1 })
  return byOrganization(scans)
}
