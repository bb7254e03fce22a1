import { clockOffsets, wallClock } from '../../clock-offsets.ts'

const dayMs = 86_400_000
const hourMs = 3_600_000

/** A calendar day, counted from 1970-01-01 in any time zone. */
export type DayNumber = number

/**
 * Returns the first instant at which clocks show a time. If clocks skip the time, the offset before
 * the change applies; for a skipped midnight (some zones change then), that is the instant of the
 * change itself.
 */
export function momentOf(timezone: string, wallClockMs: number): number {
  const candidates = [-dayMs, dayMs].map((aside) => {
    const near = wallClockMs + aside
    return wallClockMs - (wallClock(timezone, near) - near)
  })
  const shown = candidates.filter((ms) => wallClock(timezone, ms) === wallClockMs)
  return shown.length > 0 ? Math.min(...shown) : Math.max(...candidates)
}

export function dayOf(timezone: string, ms: number): DayNumber {
  return Math.floor(wallClock(timezone, ms) / dayMs)
}

/** Returns the first instant of a day. */
export function startOfDay(timezone: string, day: DayNumber): number {
  return momentOf(timezone, day * dayMs)
}

/** Formats a day as `YYYY-MM-DD`. */
export function dateText(day: DayNumber): string {
  return new Date(day * dayMs).toISOString().slice(0, 10)
}

/**
 * Returns the first moments of the hours that a stretch of time touches, in order. An hour begins
 * when clocks show a full hour, and when clocks are changed: an hour that they show twice is two.
 */
export function hourStarts(timezone: string, startMs: number, endMs: number): number[] {
  const starts: number[] = []
  let changedMs = -Infinity
  for (const { untilMs, offsetMs } of clockOffsets(timezone, startMs - hourMs, endMs)) {
    const fullHour = (ms: number) => Math.floor((ms + offsetMs) / hourMs) * hourMs - offsetMs
    const lastMs = Math.min(untilMs, endMs)
    if (untilMs > startMs)
      for (
        let ms = Math.max(changedMs, fullHour(Math.max(startMs, changedMs)));
        ms < lastMs;
        ms = fullHour(ms) + hourMs
      )
        starts.push(ms)
    changedMs = untilMs
  }
  return starts
}

export type Interval = 'hour' | 'day' | 'week' | 'month'
export type LongInterval = Exclude<Interval, 'hour'>

/**
 * Returns the day that names the bucket of a day: the day itself, the Monday of its week, or the
 * first of its month.
 */
export function bucketOf(interval: LongInterval, day: DayNumber): DayNumber {
  // 1970-01-01 was a Thursday, three days after a Monday.
  if (interval === 'week') return day - ((((day + 3) % 7) + 7) % 7)
  if (interval === 'month') return day - new Date(day * dayMs).getUTCDate() + 1
  return day
}

/** Returns the dates of all buckets that a stretch of days touches, in order. */
export function bucketDates(interval: LongInterval, firstDay: DayNumber, lastDay: DayNumber): string[] {
  const dates: string[] = []
  const step = { day: 1, week: 7, month: 31 }[interval]
  for (
    let bucket = bucketOf(interval, firstDay);
    bucket <= lastDay;
    bucket = bucketOf(interval, bucket + step)
  )
    dates.push(dateText(bucket))
  return dates
}
