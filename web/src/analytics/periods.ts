import type { Interval as ApiInterval } from '@everscan/contract/resources/analytics.ts'

export const periodNames = ['today', '7d', '30d', '90d', '12m', 'all', 'own'] as const
export type PeriodName = (typeof periodNames)[number]

/** The interface has days, weeks and months. Hours are read from its hours of the week, which are those of the period when it has 7 days at most. */
export const intervals = ['hour', 'day', 'week', 'month'] as const satisfies readonly (ApiInterval | 'hour')[]
export type Interval = (typeof intervals)[number]

/** Whole days, `YYYY-MM-DD`, both of them in it. */
export type Dates = { startDate: string; endDate: string }

const dayMs = 86_400_000
const hourlyDaysMax = 7
const dailyDaysMax = 400
const weeklyDaysMax = 5 * 366
/** More points than this are no line that a person reads. */
const daysWellShown = 100
const weeksWellShownDays = 400

/** What clocks of a time zone show, `YYYY-MM-DDThh:mm:ss`. */
export function clockTime(timezone: string, ms: number): string {
  // The Swedish form of a date and time is that of ISO 8601 but for the T.
  return new Intl.DateTimeFormat('sv-SE', {
    timeZone: timezone,
    dateStyle: 'short',
    timeStyle: 'medium',
  })
    .format(ms)
    .replace(' ', 'T')
}

/** The days of a period whose last is `today`; `since` is the first on which there can be a scan. */
export function datesOf(
  period: Exclude<PeriodName, 'own'>,
  { today, since }: { today: string; since: string },
): Dates {
  const back = { today: 0, '7d': 6, '30d': 29, '90d': 89, '12m': 364 } as const
  const startDate =
    period === 'all' ? (since < today ? since.slice(0, 10) : today) : addDays(today, -back[period])
  return { startDate, endDate: today }
}

/** As many days, right before. */
export function datesBefore(dates: Dates): Dates {
  const days = daysIn(dates)
  return { startDate: addDays(dates.startDate, -days), endDate: addDays(dates.startDate, -1) }
}

export function daysIn({ startDate, endDate }: Dates): number {
  return Math.round((Date.parse(endDate) - Date.parse(startDate)) / dayMs) + 1
}

/** `YYYY-MM-DD`, some days later or, with fewer than none, earlier. */
export function addDays(date: string, days: number): string {
  return new Date(Date.parse(date) + days * dayMs).toISOString().slice(0, 10)
}

/** The intervals by which so many days can be shown. */
export function intervalsFor(days: number): readonly Interval[] {
  return intervals.filter(
    (interval) =>
      (interval === 'hour' && days <= hourlyDaysMax) ||
      (interval === 'day' && days > 1 && days <= dailyDaysMax) ||
      (interval === 'week' && days > 7 && days <= weeklyDaysMax) ||
      (interval === 'month' && days > 31),
  )
}

/** The one that shows them best. */
export function intervalFor(days: number): Interval {
  if (days <= 2) return 'hour'
  if (days <= daysWellShown) return 'day'
  return days <= weeksWellShownDays ? 'week' : 'month'
}

/** Whether a text is a day that the interface takes. */
export function isDate(text: unknown): text is string {
  if (typeof text !== 'string' || !/^(19[7-9]\d|20\d\d)-\d\d-\d\d$/.test(text)) return false
  const ms = Date.parse(text)
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text)
}
