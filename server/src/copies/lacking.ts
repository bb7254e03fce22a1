import { problem, type Problem } from '@everscan/contract/problems/problem.ts'
import { countText } from '../amounts.ts'
import { hitTexts } from '../db/scans/lost-hits.ts'
import type { CopyManifest } from './manifest.ts'

/** The part of a manifest that says what the copy lacks. */
export type Lacking = Pick<CopyManifest, 'lacking' | 'missing' | 'silent' | 'damagedBytes'>

/**
 * Returns what a copy lacks, as endings of "The copy lacks …": with number, period and writer, or
 * machine. Empty if it has everything that was counted and acknowledged before it began.
 */
export function lackingTexts({ lacking, missing, silent, damagedBytes }: Lacking): string[] {
  return [
    ...hitTexts(lacking),
    ...missing.map(
      ({ machine, sequence, checkpoint }) =>
        `up to ${countText(sequence - checkpoint, 'scan')} of the machine ${machine}, which did not arrive within 60 s`,
    ),
    ...silent.map((machine) => `perhaps scans of the machine ${machine}, which did not report its scans`),
    ...(damagedBytes > 0
      ? [`the scans in ${countText(damagedBytes, 'damaged byte')} of the journals of this machine`]
      : []),
  ]
}

/** Returns the same as one problem; undefined if the copy lacks nothing. */
export function lackingProblem({
  lacking = [],
  missing = [],
  silent = [],
  damagedBytes = 0,
}: Partial<Lacking>): Problem | undefined {
  if (lacking.length + missing.length + silent.length + damagedBytes === 0) return undefined
  const days = lacking.map(({ day }) => day).toSorted()
  const writers = new Set(lacking.map(({ writer = '' }) => writer))
  return problem('copyLacksScans', {
    hits: lacking.reduce((sum, { hits }) => sum + hits, 0),
    firstDay: days[0] ?? '',
    lastDay: days.at(-1) ?? '',
    writer: writers.size === 1 ? ([...writers][0] ?? '') : '',
    scans: missing.reduce((sum, { sequence, checkpoint }) => sum + sequence - checkpoint, 0),
    machines: silent.join(', '),
    damagedBytes,
  })
}
