import type { Interval } from '@everscan/contract/resources/analytics.ts'
import { limits } from '@everscan/contract/schema/limits.ts'

/** Periods that move on with time, in the order of the choice. */
export const relativePeriods = [
  'today',
  'yesterday',
  'last-7-days',
  'this-week',
  'last-week',
  'this-month',
  'last-month',
  'last-30-days',
  'last-90-days',
  'this-year',
  'last-12-months',
  'all',
] as const
export type RelativePeriod = (typeof relativePeriods)[number]

/** `own` has days of its own. */
export const periodNames = [...relativePeriods, 'own'] as const
export type PeriodName = (typeof periodNames)[number]

export const defaultPeriod = 'last-30-days' satisfies PeriodName

/** First and last day of a period, `YYYY-MM-DD`, both included. */
export type Dates = { startDate: string; endDate: string }

const dayMs = 86_400_000
const dailyDaysMax = 400
const weeklyDaysMax = 5 * 366
/** Longest periods that people can read as a line, by the hour, by the day and by the week. */
const hoursWellShownDays = 2
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

/** First and last day of each period, by the day it is. `since` is the first day with scans. */
const datesByPeriod: Readonly<
  Record<RelativePeriod, (today: string, since: string) => readonly [string, string]>
> = {
  today: (today) => [today, today],
  yesterday: (today) => [addDays(today, -1), addDays(today, -1)],
  'last-7-days': (today) => [addDays(today, -6), today],
  'this-week': (today) => [mondayOf(today), today],
  'last-week': (today) => [addDays(mondayOf(today), -7), addDays(mondayOf(today), -1)],
  'this-month': (today) => [firstOfMonth(today, 0), today],
  'last-month': (today) => [firstOfMonth(today, -1), addDays(firstOfMonth(today, 0), -1)],
  'last-30-days': (today) => [addDays(today, -29), today],
  'last-90-days': (today) => [addDays(today, -89), today],
  'this-year': (today) => [`${today.slice(0, 4)}-01-01`, today],
  'last-12-months': (today) => [addDays(yearBefore(today), 1), today],
  all: (today, since) => [since < today ? since : today, today],
}

/**
 * Returns the days of a period, as of `today`. `since` is the first day that can have a scan. Weeks
 * begin on Monday. Periods that are not over end today.
 */
export function datesOf(period: RelativePeriod, { today, since }: { today: string; since: string }): Dates {
  const [startDate, endDate] = datesByPeriod[period](today, since.slice(0, 10))
  return { startDate, endDate }
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

/** Returns the Monday of a day's week. */
export function mondayOf(date: string): string {
  const weekday = new Date(date).getUTCDay() || 7
  return addDays(date, 1 - weekday)
}

function firstOfMonth(date: string, months: number): string {
  const day = new Date(date)
  return new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + months)).toISOString().slice(0, 10)
}

/** Returns the same day a year before; of 29 February, the day before 1 March. */
function yearBefore(date: string): string {
  const year = Number(date.slice(0, 4)) - 1
  return date.endsWith('02-29') ? `${year}-02-28` : `${year}${date.slice(4)}`
}

/** Returns the intervals by which a number of days can be shown. */
export function intervalsFor(days: number): readonly Interval[] {
  const fits: readonly (readonly [Interval, boolean])[] = [
    ['hour', days <= limits.hourlyDaysMax],
    ['day', days > 1 && days <= dailyDaysMax],
    ['week', days > 7 && days <= weeklyDaysMax],
    ['month', days > 31],
  ]
  return fits.flatMap(([interval, isFit]) => (isFit ? [interval] : []))
}

/** Returns the interval that shows a number of days best. */
export function intervalFor(days: number): Interval {
  if (days <= hoursWellShownDays) return 'hour'
  if (days <= daysWellShown) return 'day'
  return days <= weeksWellShownDays ? 'week' : 'month'
}

/** Returns whether a value is a day that the API accepts. */
export function isDate(text: unknown): text is string {
  if (typeof text !== 'string' || !/^(19[7-9]\d|20\d\d)-\d\d-\d\d$/.test(text)) return false
  const ms = Date.parse(text)
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text)
}
