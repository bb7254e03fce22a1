import type {
  AnalyticsMark,
  Interval,
  OrganizationAnalyticsQuery,
  QrCodeAnalytics,
  SelectionQuery,
} from '@everscan/contract/resources/analytics.ts'
import {
  countDays,
  daysOfPeriod,
  intervalOfDays,
  type PeriodDays,
} from '@everscan/contract/views/view-periods.ts'
import { chosenFilters } from './filters.ts'
import type { AnalyticsSearch, ScopeSearch } from './analytics-search.ts'
import { selectedIds } from '../codes/selected-ids.ts'
import { addDays, clockTime, datesBefore, defaultPeriod, intervalsFor } from './periods.ts'

/** The view that a URL requests, in its time zone. */
export type Asked = {
  dates: PeriodDays
  /** Days to compare with. Undefined if nothing is compared. */
  before: PeriodDays | undefined
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
  const { period = defaultPeriod, from, to, timezone = ownTimezone, compare = true } = search
  const today = clockTime(timezone, nowMs).slice(0, 10)
  const first = clockTime(timezone, Date.parse(since)).slice(0, 10)
  const dates =
    period === 'own'
      ? { startDate: from ?? today, endDate: to ?? today }
      : daysOfPeriod(period, { today, since: first })
  const days = countDays(dates)
  const intervals = intervalsFor(days)
  const interval = intervals.find((one) => one === search.interval) ?? intervalOfDays(days)
  const before = datesBefore(dates)
  const canCompare = compare && period !== 'all' && before.startDate >= '1970-01-02'
  return { dates, before: canCompare ? before : undefined, timezone, interval, intervals }
}

/** Returns the part of an API query that selects codes and scans. */
export function selectionOf(search: ScopeSearch): SelectionQuery {
  const { folder, tags, type } = search
  const ids = selectedIds(search)
  return {
    ...(folder !== undefined && { folderId: folder }),
    ...(tags !== undefined && { tag: tags }),
    ...(type !== undefined && { type }),
    ...(ids !== undefined && { ids: [ids.join()] }),
  }
}

/** Returns the API query for some days of a view, without the matrix. */
export function queryOf(search: AnalyticsSearch, { timezone, interval }: Asked, dates: PeriodDays) {
  return {
    ...dates,
    timezone,
    interval,
    ...chosenFilters(search),
    ...selectionOf(search),
  } satisfies OrganizationAnalyticsQuery
}

/** A point of the timeline. Its date is `YYYY-MM-DD`, or `YYYY-MM-DDThh` for an hour. */
export type Point = {
  date: string
  scans: number
  uniqueScans: number
  /** Whether the hour, day, week or month is not over, so that its scans are those so far. */
  isSoFar: boolean
}

/** Returns the points of the timeline. Buckets in the future have no points. */
export function pointsOf(
  { timeline }: Pick<QrCodeAnalytics, 'timeline'>,
  { asked: { interval, timezone }, nowMs }: { asked: Asked; nowMs: number },
): readonly Point[] {
  const now = clockTime(timezone, nowMs)
  return timeline.flatMap(({ date: day, start, scans, uniqueScans }) => {
    const date = start === undefined ? day : clockTime(timezone, Date.parse(start)).slice(0, 13)
    if (start === undefined ? day > now.slice(0, 10) : Date.parse(start) > nowMs) return []
    return [{ date, scans, uniqueScans, isSoFar: isSoFar(date, interval, now) }]
  })
}

function isSoFar(date: string, interval: Interval, now: string): boolean {
  if (interval === 'month') return date.slice(0, 7) === now.slice(0, 7)
  if (interval === 'week') return date <= now.slice(0, 10) && now.slice(0, 10) < addDays(date, 7)
  return now.startsWith(date)
}

/**
 * Returns marks by the index of the point that covers their day. Of hours, it is the first of that
 * day.
 */
export function marksByPoint(
  marks: readonly AnalyticsMark[],
  points: readonly Pick<Point, 'date'>[],
  interval: Interval,
): ReadonlyMap<number, readonly AnalyticsMark[]> {
  return Map.groupBy(marks, (mark) =>
    interval === 'hour'
      ? points.findIndex(({ date }) => date.startsWith(mark.date))
      : points.findLastIndex(({ date }) => date <= mark.date),
  )
}
