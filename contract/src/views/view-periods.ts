import type { Interval } from '../resources/analytics.ts'

/** Periods that move on with time. `all` begins with the organization, or with the code. */
export const viewPeriods = [
  'today',
  'last-7-days',
  'last-30-days',
  'last-90-days',
  'last-12-months',
  'this-month',
  'last-month',
  'this-year',
  'last-year',
  'all',
] as const
export type ViewPeriod = (typeof viewPeriods)[number]

/** First and last day of a period, `YYYY-MM-DD`, both included. */
export type PeriodDays = { startDate: string; endDate: string }

const dayMs = 86_400_000
/** Longest periods that people can read as a line, by the hour, by the day and by the week. */
const wellShownDays = { hour: 2, day: 100, week: 400 } as const

/**
 * Returns the days of a period on a day. `since` is the first day that can have a scan; both are
 * `YYYY-MM-DD` in the time zone of the view.
 */
export function daysOfPeriod(
  period: ViewPeriod,
  { today, since }: { today: string; since: string },
): PeriodDays {
  const year = Number(today.slice(0, 4))
  const month = Number(today.slice(5, 7)) - 1
  const day = Number(today.slice(8))
  const back = (days: number) => ({ startDate: dateOf(year, month, day - days), endDate: today })
  const periods: Readonly<Record<ViewPeriod, () => PeriodDays>> = {
    today: () => back(0),
    'last-7-days': () => back(6),
    'last-30-days': () => back(29),
    'last-90-days': () => back(89),
    'last-12-months': () => back(364),
    'this-month': () => ({ startDate: dateOf(year, month, 1), endDate: today }),
    // Day 0 is the last one of the month before.
    'last-month': () => ({ startDate: dateOf(year, month - 1, 1), endDate: dateOf(year, month, 0) }),
    'this-year': () => ({ startDate: dateOf(year, 0, 1), endDate: today }),
    'last-year': () => ({ startDate: dateOf(year - 1, 0, 1), endDate: dateOf(year - 1, 11, 31) }),
    all: () => ({ startDate: since < today ? since : today, endDate: today }),
  }
  return periods[period]()
}

/** Returns the number of days of a period. */
export function countDays({ startDate, endDate }: PeriodDays): number {
  return Math.round((Date.parse(endDate) - Date.parse(startDate)) / dayMs) + 1
}

/** Returns the interval that shows a number of days best. */
export function intervalOfDays(days: number): Interval {
  if (days <= wellShownDays.hour) return 'hour'
  if (days <= wellShownDays.day) return 'day'
  return days <= wellShownDays.week ? 'week' : 'month'
}

function dateOf(year: number, month: number, day: number): string {
  return new Date(Date.UTC(year, month, day)).toISOString().slice(0, 10)
}
