import type { Interval } from '@everscan/contract/resources/analytics.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import { countDays, viewPeriods, type PeriodDays } from '@everscan/contract/views/view-periods.ts'

/** `own` has days of its own. */
export const periodNames = [...viewPeriods, 'own'] as const
export type PeriodName = (typeof periodNames)[number]

export const defaultPeriod = 'last-30-days' satisfies PeriodName

const dayMs = 86_400_000
const dailyDaysMax = 400
const weeklyDaysMax = 5 * 366

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

/** Returns the same number of days, directly before `dates`. */
export function datesBefore(dates: PeriodDays): PeriodDays {
  const days = countDays(dates)
  return { startDate: addDays(dates.startDate, -days), endDate: addDays(dates.startDate, -1) }
}

/** Adds days to a `YYYY-MM-DD`. A negative number goes back. */
export function addDays(date: string, days: number): string {
  return new Date(Date.parse(date) + days * dayMs).toISOString().slice(0, 10)
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

/** Returns whether a value is a day that the API accepts. */
export function isDate(text: unknown): text is string {
  if (typeof text !== 'string' || !/^(19[7-9]\d|20\d\d)-\d\d-\d\d$/.test(text)) return false
  const ms = Date.parse(text)
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text)
}
