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

/** What an address asks for, by the clocks of its time zone. */
export type Asked = {
  dates: Dates
  /** Undefined: nothing is compared. */
  before: Dates | undefined
  timezone: string
  interval: Interval
  /** Those that can be chosen. */
  intervals: readonly Interval[]
}

/** Of this device. */
export const ownTimezone = Intl.DateTimeFormat().resolvedOptions().timeZone

/** `since`: when what is looked at began to be. */
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

/** What the interface is asked with for some days of what an address asks for. */
export function queryOf(search: AnalyticsSearch, { timezone, interval }: Asked, dates: Dates) {
  return {
    ...dates,
    timezone,
    interval: interval === 'hour' ? 'day' : interval,
    ...filtersOf(search),
  } satisfies AnalyticsQuery
}

/** A point of the timeline; its date is `YYYY-MM-DD`, of an hour `YYYY-MM-DDThh`. Uniques are not known by the hour. */
export type Point = { date: string; scans: number; uniqueScans?: number | undefined }

/** The timeline as it is drawn; hours that are still to come are no points of it. */
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

/** Marks by the point whose stretch of time has their day; hours have none, as uniques are not known by the hour. */
export function marksByPoint(
  marks: readonly AnalyticsMark[],
  points: readonly Point[],
  interval: Interval,
): ReadonlyMap<number, readonly AnalyticsMark[]> {
  if (interval === 'hour') return new Map()
  return Map.groupBy(marks, (mark) => points.findLastIndex(({ date }) => date <= mark.date))
}
