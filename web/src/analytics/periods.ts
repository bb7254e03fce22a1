import type { Interval as ApiInterval } from '@everscan/contract/resources/analytics.ts'

export const periodNames = ['today', '7d', '30d', '90d', '12m', 'all', 'own'] as const
export type PeriodName = (typeof periodNames)[number]

/**
 * Intervals of the timeline. The API has days, weeks and months. Hours come from its hours of the
 * week, which are those of the period if it has at most 7 days.
 */
export const intervals = ['hour', 'day', 'week', 'month'] as const satisfies readonly (ApiInterval | 'hour')[]
export type Interval = (typeof intervals)[number]

/** First and last day of a period, `YYYY-MM-DD`, both included. */
export type Dates = { startDate: string; endDate: string }

const dayMs = 86_400_000
const hourlyDaysMax = 7
const dailyDaysMax = 400
const weeklyDaysMax = 5 * 366
/** Longest periods that people can read as a line, by the day and by the week. */
const daysWellShown = 100
const weeksWellShownDays = 400

/** Returns the local time in a time zone, `YYYY-MM-DDThh:mm:ss`. */
export function clockTime(timezone: string, ms: number): string {
  // The Swedish form of a date and time is that of ISO 8601 except for the T.
  return new Intl.DateTimeFormat('sv-SE', {
    timeZone: timezone,
    dateStyle: 'short',
    timeStyle: 'medium',
  })
    .format(ms)
    .replace(' ', 'T')
}

/**
 * Returns the days of a period that ends on `today`. `since` is the first day that can have a scan.
 */
export function datesOf(
  period: Exclude<PeriodName, 'own'>,
  { today, since }: { today: string; since: string },
): Dates {
  const back = { today: 0, '7d': 6, '30d': 29, '90d': 89, '12m': 364 } as const
  const startDate =
    period === 'all' ? (since < today ? since.slice(0, 10) : today) : addDays(today, -back[period])
  return { startDate, endDate: today }
}

/** Returns the same number of days, directly before `dates`. */
export function datesBefore(dates: Dates): Dates {
  const days = daysIn(dates)
  return { startDate: addDays(dates.startDate, -days), endDate: addDays(dates.startDate, -1) }
}

export function daysIn({ startDate, endDate }: Dates): number {
  return Math.round((Date.parse(endDate) - Date.parse(startDate)) / dayMs) + 1
}

/** Adds days to a `YYYY-MM-DD`. A negative number goes back. */
export function addDays(date: string, days: number): string {
  return new Date(Date.parse(date) + days * dayMs).toISOString().slice(0, 10)
}

/** Returns the intervals by which a number of days can be shown. */
export function intervalsFor(days: number): readonly Interval[] {
  return intervals.filter(
    (interval) =>
      (interval === 'hour' && days <= hourlyDaysMax) ||
      (interval === 'day' && days > 1 && days <= dailyDaysMax) ||
      (interval === 'week' && days > 7 && days <= weeklyDaysMax) ||
      (interval === 'month' && days > 31),
  )
}

/** Returns the interval that shows a number of days best. */
export function intervalFor(days: number): Interval {
  if (days <= 2) return 'hour'
  if (days <= daysWellShown) return 'day'
  return days <= weeksWellShownDays ? 'week' : 'month'
}

/** Returns whether a value is a day that the API accepts. */
export function isDate(text: unknown): text is string {
  if (typeof text !== 'string' || !/^(19[7-9]\d|20\d\d)-\d\d-\d\d$/.test(text)) return false
  const ms = Date.parse(text)
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text)
}
