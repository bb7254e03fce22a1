import type { Interval } from '../resources/analytics.ts'

/**
 * Periods that move on with time, in the order of a choice. Weeks begin on Monday. `all` begins
 * with the organization, or with the code.
 */
export const viewPeriods = [
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
  'last-year',
  'last-12-months',
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
  const monday = day - ((new Date(today).getUTCDay() + 6) % 7)
  const back = (days: number) => ({ startDate: dateOf(year, month, day - days), endDate: today })
  const periods: Readonly<Record<ViewPeriod, () => PeriodDays>> = {
    today: () => back(0),
    yesterday: () => ({ startDate: dateOf(year, month, day - 1), endDate: dateOf(year, month, day - 1) }),
    'last-7-days': () => back(6),
    'this-week': () => ({ startDate: dateOf(year, month, monday), endDate: today }),
    'last-week': () => ({
      startDate: dateOf(year, month, monday - 7),
      endDate: dateOf(year, month, monday - 1),
    }),
    'last-30-days': () => back(29),
    'last-90-days': () => back(89),
    // Of 29 February: from 1 March of the year before.
    'last-12-months': () => ({
      startDate: dateOf(year - 1, month, today.endsWith('02-29') ? day : day + 1),
      endDate: today,
    }),
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
