import { clockOffsets, type Interval } from './calendar.ts'
import type { Period } from './period.ts'
import type { Params } from '../store/store.ts'

/** The date of the bucket of a scan at `clock`. */
export const bucketColumns: Record<Interval, string> = {
  day: 'toDate(clock)',
  week: 'toStartOfWeek(clock, 1)',
  month: 'toStartOfMonth(clock)',
}

export type ClockSql = {
  /** What clocks showed at the moment in a column. */
  at: (column: string) => string
  params: Params
  /** All moments of so many seconds (UTC), from a multiple of them on, are of one hour by these clocks. */
  unitSeconds: (typeof units)[number]
}

/** Nearly all clocks differ by hours, some by quarters of one, and some changed theirs at a minute past. */
const units = [3600, 900, 60, 1] as const

/**
 * What clocks showed in a period. The offsets come from here: the store would take 5 MB for every time zone it is ever
 * asked about (measured: 2 GB for all of them), and its time zone database may be another release than ours.
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
