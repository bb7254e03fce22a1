import { countText } from '../amounts.ts'
import { hitTexts } from '../db/scans/lost-hits.ts'
import type { CopyManifest } from './manifest.ts'

/**
 * Returns what a copy lacks, as endings of "The copy lacks …": with number, period and writer, or
 * machine. Empty if it has everything that was counted and acknowledged before it began.
 */
export function lackingTexts({
  lacking,
  missing,
  silent,
  damagedBytes,
}: Pick<CopyManifest, 'lacking' | 'missing' | 'silent' | 'damagedBytes'>): string[] {
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
