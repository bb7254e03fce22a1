const dayMs = 86_400_000

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

/** An offset of clocks from UTC: they are `offsetMs` ahead until an instant (exclusive). */
export type ClockOffset = { untilMs: number; offsetMs: number }

/**
 * Returns how far clocks are ahead of UTC over a stretch of time. The last offset extends to the
 * end of the stretch, or beyond it until the clocks change.
 */
export function clockOffsets(timezone: string, startMs: number, endMs: number): ClockOffset[] {
  const offsets: ClockOffset[] = []
  const lastYear = new Date(endMs - 1).getUTCFullYear()
  for (let year = new Date(startMs).getUTCFullYear(); year <= lastYear; year++)
    for (const next of clockOffsetsOfYear(timezone, year)) {
      if (next.untilMs <= startMs) continue
      const last = offsets.at(-1)
      if (last !== undefined && last.untilMs >= endMs) return offsets
      if (last?.offsetMs === next.offsetMs) last.untilMs = next.untilMs
      else offsets.push({ ...next })
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
