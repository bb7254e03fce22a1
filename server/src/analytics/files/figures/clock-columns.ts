import type { Interval, LongInterval } from '../../figures/calendar.ts'
import { clockUnits } from '../../figures/clock-units.ts'
import type { Period } from '../../figures/period.ts'
import type { ReadParams } from '../parquet/select.ts'

const [hourMs, dayMs] = [3_600_000, 86_400_000]
const day = `(clock_ms // ${dayMs})`
const dateOf = (number: string) => `(date '1970-01-01' + (${number})::int)`
// 1970-01-01 was a Thursday, three days after a Monday.
const sinceMonday = `(${day} + 3) % 7`

/** SQL for the date of a bucket, by the milliseconds that clocks show. */
const bucketDates: Record<LongInterval, string> = {
  day: dateOf(day),
  week: dateOf(`${day} - ${sinceMonday}`),
  month: `date_trunc('month', ${dateOf(day)})::date`,
}

/** SQL for the times of scans as clocks show them. */
export type ClockColumns = {
  /** The length of a unit of time. */
  unitMs: number
  /** The number of a unit of time, by SQL for milliseconds. */
  unit: (ms: string) => string
  /** The time that clocks show then, by the column `unit_ms`, in milliseconds. */
  clockMs: string
  /** The ISO weekday times 24 plus the hour, by the column `clock_ms`. */
  weekHour: string
  /** The text of a bucket, by the columns `unit_ms` and `clock_ms`. */
  bucket: string
  params: ReadParams
}

/** Returns SQL for the time that clocks showed in a period, with offsets as in `clockSql`. */
export function clockColumns({ interval, ...period }: Period & { interval: Interval }): ClockColumns {
  const { offsets, unitSeconds } = clockUnits(period)
  const unitMs = unitSeconds * 1000
  const params: Record<string, number> = {}
  for (const [index, { untilMs, offsetMs }] of offsets.entries()) {
    params[`offset_${index}`] = offsetMs
    if (index < offsets.length - 1) params[`until_${index}`] = untilMs
  }
  const byOffset = (value: (index: number) => string) => {
    const cases = offsets
      .slice(0, -1)
      .map((_, index) => `when unit_ms < $until_${index} then ${value(index)}`)
    const last = value(offsets.length - 1)
    return cases.length === 0 ? last : `case ${cases.join(' ')} else ${last} end`
  }
  const changed = byOffset((index) => (index === 0 ? '0' : `$until_${index - 1}`))
  return {
    unitMs,
    unit: (ms) => `${ms} // ${unitMs}`,
    clockMs: `unit_ms + ${byOffset((index) => `$offset_${index}`)}`,
    weekHour: `(${sinceMonday} + 1) * 24 + clock_ms % ${dayMs} // ${hourMs}`,
    bucket:
      interval === 'hour'
        ? `(greatest(unit_ms - clock_ms % ${hourMs}, ${changed}) // 1000)::varchar`
        : `${bucketDates[interval]}::varchar`,
    params,
  }
}
