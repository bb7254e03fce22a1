import { clockOffsets, type Interval } from './calendar.ts'
import type { Period } from './period.ts'
import type { Params } from '../store/store.ts'

/** SQL for the date of a scan's bucket, by the time `clock`. */
export const bucketColumns: Record<Interval, string> = {
  day: 'toDate(clock)',
  week: 'toStartOfWeek(clock, 1)',
  month: 'toStartOfMonth(clock)',
}

export type ClockSql = {
  /** Returns SQL for the time that clocks showed at the instant in a column. */
  at: (column: string) => string
  params: Params
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

/**
 * Returns SQL for the time that clocks showed in a period. The offsets are computed here: the store
 * would take 5 MB for every time zone it is ever queried for (measured: 2 GB for all zones), and
 * the release of its time zone database may differ from ours.
 */
export function clockSql({ timezone, startMs, endMs }: Period): ClockSql {
  const params: Params = {}
  const offsets = clockOffsets(timezone, startMs, endMs)
  for (const [index, { untilMs, offsetMs }] of offsets.entries()) {
    params[`offset_${index}`] = Math.round(offsetMs / 1000)
    if (index < offsets.length - 1) params[`until_${index}`] = untilMs
  }
  return {
    at(column) {
      const cases = offsets.map((_, index) =>
        index < offsets.length - 1
          ? `${column} < fromUnixTimestamp64Milli({until_${index}:Int64}), {offset_${index}:Int32}`
          : `{offset_${index}:Int32}`,
      )
      return `toDateTime(${column}) + ${cases.length === 1 ? cases[0] : `multiIf(${cases.join(', ')})`}`
    },
    params,
    unitSeconds:
      units.find((seconds) =>
        offsets.every(
          ({ untilMs, offsetMs }, index) =>
            offsetMs % (seconds * 1000) === 0 &&
            (index === offsets.length - 1 || untilMs % (seconds * 1000) === 0),
        ),
      ) ?? 1,
  }
}
