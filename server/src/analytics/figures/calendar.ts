const dayMs = 86_400_000

/** A day of the calendar, counted from 1970-01-01 whatever the time zone. */
export type DayNumber = number

const formatters = new Map<string, Intl.DateTimeFormat>()

/** What clocks show at a moment, as the milliseconds that would be that moment in UTC. */
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
 * The first moment at which clocks show this. When they are put forward over it (some zones do so at midnight), the
 * moment at which they are.
 */
export function momentOf(timezone: string, wallClockMs: number): number {
  const candidates = [-dayMs, dayMs].map((aside) => {
    const near = wallClockMs + aside
    return wallClockMs - (wallClock(timezone, near) - near)
  })
  const shown = candidates.filter((ms) => wallClock(timezone, ms) === wallClockMs)
  return shown.length > 0 ? Math.min(...shown) : Math.max(...candidates)
}

/** Until a moment (exclusive) clocks are `offsetMs` ahead of UTC. */
export type ClockOffset = { untilMs: number; offsetMs: number }

/** How far clocks are ahead of UTC over a stretch of time; the last one reaches to its end or past it. */
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

/** Looked for once: at most some thousand short lists, as there are some hundred zones. */
function clockOffsetsOfYear(timezone: string, year: number): readonly ClockOffset[] {
  const known = years.get(`${timezone} ${year}`)
  if (known !== undefined) return known
  const offsetAt = (ms: number) => wallClock(timezone, ms) - ms
  const end = Date.UTC(year + 1, 0)
  const found: ClockOffset[] = []
  let offsetMs = offsetAt(Date.UTC(year, 0))
  // Since 1970 no zone has changed its clocks and changed them back within a week.
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

/** The first moment of a day. */
export function startOfDay(timezone: string, day: DayNumber): number {
  return momentOf(timezone, day * dayMs)
}

/** `YYYY-MM-DD`. */
export function dateText(day: DayNumber): string {
  return new Date(day * dayMs).toISOString().slice(0, 10)
}

export type Interval = 'day' | 'week' | 'month'

/** The day by which the bucket of a day is named: itself, its week's Monday, the first of its month. */
export function bucketOf(interval: Interval, day: DayNumber): DayNumber {
  // 1970-01-01 was a Thursday, three days after a Monday.
  if (interval === 'week') return day - ((((day + 3) % 7) + 7) % 7)
  if (interval === 'month') return day - new Date(day * dayMs).getUTCDate() + 1
  return day
}

/** The dates of all buckets that a stretch of days touches, in order. */
export function bucketDates(interval: Interval, firstDay: DayNumber, lastDay: DayNumber): string[] {
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
