import type {
  AnalyticsMark,
  AnalyticsQuery,
  QrCodeAnalytics,
} from '@everscan/contract/resources/analytics.ts'
import { filtersOf, type AnalyticsSearch } from './analytics-search.ts'
import {
  addDays,
  clockTime,
  datesBefore,
  datesOf,
  daysIn,
  intervalFor,
  intervalsFor,
  type Dates,
  type Interval,
} from './periods.ts'

/** The view that a URL requests, in its time zone. */
export type Asked = {
  dates: Dates
  /** Days to compare with. Undefined if nothing is compared. */
  before: Dates | undefined
  timezone: string
  interval: Interval
  /** Intervals to choose from. */
  intervals: readonly Interval[]
}

/** Time zone of this device. */
export const ownTimezone = Intl.DateTimeFormat().resolvedOptions().timeZone

/**
 * Returns the view that search parameters request. `since` is the creation time of the code or the
 * organization.
 */
export function askedOf(search: AnalyticsSearch, since: string, nowMs: number): Asked {
  const { period = '30d', from, to, timezone = ownTimezone, compare = true } = search
  const today = clockTime(timezone, nowMs).slice(0, 10)
  const first = clockTime(timezone, Date.parse(since)).slice(0, 10)
  const dates =
    period === 'own' || (from !== undefined && to !== undefined)
      ? { startDate: from ?? today, endDate: to ?? today }
      : datesOf(period, { today, since: first })
  const days = daysIn(dates)
  const intervals = intervalsFor(days)
  const interval = intervals.find((one) => one === search.interval) ?? intervalFor(days)
  const before = datesBefore(dates)
  const canCompare = compare && period !== 'all' && before.startDate >= '1970-01-02'
  return { dates, before: canCompare ? before : undefined, timezone, interval, intervals }
}

/** Returns the API query for some days of a view. */
export function queryOf(search: AnalyticsSearch, { timezone, interval }: Asked, dates: Dates) {
  return {
    ...dates,
    timezone,
    interval: interval === 'hour' ? 'day' : interval,
    ...filtersOf(search),
  } satisfies AnalyticsQuery
}

/**
 * A point of the timeline. Its date is `YYYY-MM-DD`, or `YYYY-MM-DDThh` for an hour. Uniques are
 * not known by the hour.
 */
export type Point = { date: string; scans: number; uniqueScans?: number | undefined }

/** Returns the points of the timeline. Future hours have no points. */
export function pointsOf(
  figures: Pick<QrCodeAnalytics, 'timeline' | 'hours'>,
  { dates, asked: { interval, timezone }, nowMs }: { dates: Dates; asked: Asked; nowMs: number },
): readonly Point[] {
  if (interval !== 'hour') return figures.timeline
  const scans = new Map(figures.hours.map((one) => [`${one.weekday} ${one.hour}`, one.scans]))
  const now = clockTime(timezone, nowMs)
  return Array.from({ length: daysIn(dates) * 24 }, (_, at) => {
    const day = addDays(dates.startDate, Math.floor(at / 24))
    const weekday = new Date(day).getUTCDay() || 7
    const hour = at % 24
    return { date: `${day}T${String(hour).padStart(2, '0')}`, scans: scans.get(`${weekday} ${hour}`) ?? 0 }
  }).filter(({ date }) => date <= now)
}

/**
 * Returns marks by the index of the point that covers their day. Hours have no marks, because
 * uniques are not known by the hour.
 */
export function marksByPoint(
  marks: readonly AnalyticsMark[],
  points: readonly Point[],
  interval: Interval,
): ReadonlyMap<number, readonly AnalyticsMark[]> {
  if (interval === 'hour') return new Map()
  return Map.groupBy(marks, (mark) => points.findLastIndex(({ date }) => date <= mark.date))
}
