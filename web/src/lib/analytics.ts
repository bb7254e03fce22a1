import type { OrganizationAnalytics, QrCodeAnalytics } from '@everscan/client/create-client.ts'
import type { AnalyticsQuery } from '@everscan/contract/analytics.ts'
import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query'
import { filtersOf, type AnalyticsSearch } from './analytics-search.ts'
import { api } from './api.ts'
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

/** Whose scans: of one code, or of all of an organization. */
export type AnalyticsScope = { orgId: string; codeId?: string }

/** What both have. */
export type Figures = Omit<QrCodeAnalytics, 'qrCodeId'> & Partial<Pick<OrganizationAnalytics, 'topQrCodes'>>

/** A point of the timeline; its date is `YYYY-MM-DD`, of an hour `YYYY-MM-DDThh`. Uniques are not known by the hour. */
export type Point = { date: string; scans: number; uniqueScans?: number | undefined }

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

export const ownTimezone = Intl.DateTimeFormat().resolvedOptions().timeZone
/** Everything of an organization's figures is renewed by this. */
export const analyticsKey = ({ orgId, codeId = '' }: AnalyticsScope) => ['analytics', orgId, codeId] as const

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

/** Figures of what an address asks for, and of the days before. */
export function useFigures(
  scope: AnalyticsScope,
  search: AnalyticsSearch,
  asked: Asked,
): { current: UseQueryResult<Figures>; before: Figures | undefined } {
  const query = queryOf(search, asked, asked.dates)
  const current = useQuery({
    queryKey: [...analyticsKey(scope), 'figures', query],
    queryFn: async ({ signal }) => readFigures(scope, query, signal),
    placeholderData: keepPreviousData,
  })
  const before = useQuery({
    queryKey: [...analyticsKey(scope), 'before', query],
    queryFn: async ({ signal }) => readFigures(scope, queryBefore(search, asked), signal),
    enabled: asked.before !== undefined,
  })
  return { current, before: asked.before === undefined ? undefined : before.data }
}

/** The days before, until the hour that it is now when today is not over: a whole day beside half a one says nothing. */
function queryBefore(search: AnalyticsSearch, asked: Asked): AnalyticsQuery {
  const { timezone, dates, before = dates } = asked
  const query = queryOf(search, asked, before)
  const now = clockTime(timezone, Date.now())
  return now.startsWith(dates.endDate) ? { ...query, endDate: `${before.endDate}${now.slice(10)}` } : query
}

async function readFigures(
  { orgId, codeId }: AnalyticsScope,
  query: AnalyticsQuery,
  signal: AbortSignal,
): Promise<Figures> {
  return codeId === undefined
    ? api.analytics.ofOrganization(orgId, query, { signal })
    : api.qrCodes.analytics(orgId, codeId, query, { signal })
}

/** The timeline as it is drawn; hours that are still to come are no points of it. */
export function pointsOf(figures: Figures, { interval, timezone }: Asked, dates: Dates): readonly Point[] {
  if (interval !== 'hour') return figures.timeline
  const scans = new Map(figures.hours.map((one) => [`${one.weekday} ${one.hour}`, one.scans]))
  const now = clockTime(timezone, Date.now())
  return Array.from({ length: daysIn(dates) * 24 }, (_, at) => {
    const day = addDays(dates.startDate, Math.floor(at / 24))
    const weekday = new Date(day).getUTCDay() || 7
    const hour = at % 24
    return { date: `${day}T${String(hour).padStart(2, '0')}`, scans: scans.get(`${weekday} ${hour}`) ?? 0 }
  }).filter(({ date }) => date <= now)
}

/** Where the browser downloads a file from, as it comes. */
export function downloadAddress(
  { orgId, codeId }: AnalyticsScope,
  file: 'scans' | 'figures',
  query: AnalyticsQuery,
): string {
  const parameters = Object.entries(query).flatMap(([name, given]) =>
    [given].flat().map((value): [string, string] => [name, value]),
  )
  const of = codeId === undefined ? 'qr-codes' : `qr-codes/${encodeURIComponent(codeId)}`
  const path = file === 'scans' ? `${of}/analytics/export` : `${of}/analytics`
  const asked = parameters.filter(([name]) => file === 'figures' || name !== 'interval')
  return `/api/v1/organizations/${orgId}/${path}?${new URLSearchParams(asked).toString()}`
}
