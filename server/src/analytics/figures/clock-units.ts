import { clockOffsets, type ClockOffset } from '../../clock-offsets.ts'
import type { Period } from './period.ts'

/** The offsets of clocks in a period, and a unit of time that scans can be counted by. */
export type ClockUnits = {
  /** See `clockOffsets`. Each offset but the last applies until its `untilMs`. */
  offsets: readonly ClockOffset[]
  /**
   * Length of a unit of time. Units start at multiples of it (UTC), and all instants of a unit are
   * in the same hour by these clocks.
   */
  unitSeconds: (typeof units)[number]
}

/**
 * Nearly all clocks differ by hours, some by quarter hours, and some were changed at a minute past
 * the full hour.
 */
const units = [3600, 900, 60, 1] as const

/** Returns the offsets of the clocks of a period, and the longest unit of time that fits them. */
export function clockUnits({ timezone, startMs, endMs }: Period): ClockUnits {
  // An hour may have begun before the period.
  const offsets = clockOffsets(timezone, startMs - 3_600_000, endMs)
  const unitSeconds =
    units.find((seconds) =>
      offsets.every(
        ({ untilMs, offsetMs }, index) =>
          offsetMs % (seconds * 1000) === 0 &&
          (index === offsets.length - 1 || untilMs % (seconds * 1000) === 0),
      ),
    ) ?? 1
  return { offsets, unitSeconds }
}
