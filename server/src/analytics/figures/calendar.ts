const dayMs = 86_400_000
const hourMs = 3_600_000

/** A calendar day, counted from 1970-01-01 in any time zone. */
export type DayNumber = number

const formatters = new Map<string, Intl.DateTimeFormat>()

/** Returns the time that clocks show at an instant, as the milliseconds of that time in UTC. */
export function wallClock(timezone: string, ms: number): number {
  let formatter = formatters.get(timezone)
  if (formatter === undefined) {
    formatter = new Intl.DateTimeFormat('en-US', {
      timeZone: timezone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    })
    formatters.set(timezone, formatter)
  }
  const part: Record<string, number> = {}
  for (const { type, value } of formatter.formatToParts(ms)) part[type] = Number(value)
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = part
  return Date.UTC(year, month - 1, day, hour, minute, second) + (((ms % 1000) + 1000) % 1000)
}

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

/** An offset of clocks from UTC: they are `offsetMs` ahead until an instant (exclusive). */
export type ClockOffset = { untilMs: number; offsetMs: number }

/**
 * Returns how far clocks are ahead of UTC over a stretch of time. The last offset extends to the
 * end of the stretch or beyond.
 */
export function clockOffsets(timezone: string, startMs: number, endMs: number): ClockOffset[] {
  const offsets: ClockOffset[] = []
  const lastYear = new Date(endMs - 1).getUTCFullYear()
  for (let year = new Date(startMs).getUTCFullYear(); year <= lastYear; year++)
    for (const next of clockOffsetsOfYear(timezone, year)) {
      if (next.untilMs <= startMs) continue
      const last = offsets.at(-1)
      if (last?.offsetMs === next.offsetMs) last.untilMs = next.untilMs
      else if ((last?.untilMs ?? startMs) < endMs) offsets.push({ ...next })
    }
  return offsets
}

const years = new Map<string, readonly ClockOffset[]>()

/**
 * Looks up each year of a zone once. There are some hundred zones, so the cache holds at most some
 * thousand short lists.
 */
function clockOffsetsOfYear(timezone: string, year: number): readonly ClockOffset[] {
  const known = years.get(`${timezone} ${year}`)
  if (known !== undefined) return known
  const offsetAt = (ms: number) => wallClock(timezone, ms) - ms
  const end = Date.UTC(year + 1, 0)
  const found: ClockOffset[] = []
  let offsetMs = offsetAt(Date.UTC(year, 0))
  // Since 1970, no zone has changed its clocks and changed them back within a week.
  for (let ms = Date.UTC(year, 0); ms < end; ms += 7 * dayMs) {
    const next = Math.min(ms + 7 * dayMs, end)
    const nextOffsetMs = offsetAt(next)
    if (nextOffsetMs === offsetMs) continue
    let [before, after] = [ms, next]
    while (after - before > 1) {
      const middle = Math.floor((before + after) / 2)
      if (offsetAt(middle) === offsetMs) before = middle
      else after = middle
    }
    found.push({ untilMs: after, offsetMs })
    offsetMs = nextOffsetMs
  }
  found.push({ untilMs: end, offsetMs })
  years.set(`${timezone} ${year}`, found)
  return found
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
