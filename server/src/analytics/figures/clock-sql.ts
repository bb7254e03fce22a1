import type { Interval, LongInterval } from './calendar.ts'
import { clockUnits, type ClockUnits } from './clock-units.ts'
import type { Period } from './period.ts'
import type { Params } from '../store/clickhouse.ts'

/** SQL for the date of a scan's bucket, by the time `clock`. */
const bucketColumns: Record<LongInterval, string> = {
  day: 'toDate(clock)',
  week: 'toStartOfWeek(clock, 1)',
  month: 'toStartOfMonth(clock)',
}

export type ClockSql = {
  /** Returns SQL for the time that clocks showed at the instant in a column. */
  at: (column: string) => string
  /**
   * Returns SQL for the bucket of an instant in a column: its date, or the first second of its
   * hour.
   */
  bucket: (interval: Interval, column: string) => string
  params: Params
  unitSeconds: ClockUnits['unitSeconds']
}

/**
 * Returns SQL for the time that clocks showed in a period. The offsets are computed here: the store
 * would take 5 MB for every time zone it is ever queried for (measured: 2 GB for all zones), and
 * the release of its time zone database may differ from ours.
 */
export function clockSql(period: Period): ClockSql {
  const params: Params = {}
  const { offsets, unitSeconds } = clockUnits(period)
  for (const [index, { untilMs, offsetMs }] of offsets.entries()) {
    params[`offset_${index}`] = Math.round(offsetMs / 1000)
    if (index < offsets.length - 1) params[`until_${index}`] = untilMs
  }
  /** Returns SQL for a value of the offset that applies at an instant. */
  const byOffset = (column: string, value: (index: number) => string) => {
    const cases = offsets.map((_, index) =>
      index < offsets.length - 1
        ? `${column} < fromUnixTimestamp64Milli({until_${index}:Int64}), ${value(index)}`
        : value(index),
    )
    return cases.length === 1 ? value(0) : `multiIf(${cases.join(', ')})`
  }
  const offsetAt = (column: string) => byOffset(column, (index) => `{offset_${index}:Int32}`)
  const at = (column: string) => `toDateTime(${column}) + ${offsetAt(column)}`
  const hourOf = (column: string) => {
    const second = `toInt64(toUnixTimestamp(${column}))`
    const changed = byOffset(column, (index) =>
      index === 0 ? 'toInt64(0)' : `intDiv({until_${index - 1}:Int64}, 1000)`,
    )
    return `greatest(${second} - positiveModulo(${second} + ${offsetAt(column)}, 3600), ${changed})`
  }
  return {
    at,
    bucket: (interval, column) =>
      interval === 'hour' ? hourOf(column) : bucketColumns[interval].replace('clock', at(column)),
    params,
    unitSeconds,
  }
}
