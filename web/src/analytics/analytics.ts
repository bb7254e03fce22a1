import type { OrganizationAnalytics, QrCodeAnalytics } from '@everscan/client/create-client.ts'
import type { AnalyticsQuery } from '@everscan/contract/resources/analytics.ts'
import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query'
import type { AnalyticsSearch } from './analytics-search.ts'
import { api } from '../session/api.ts'
import { queryOf, type Asked } from './asked.ts'
import { clockTime } from './periods.ts'

/** Scope of analytics: one code, or all codes of an organization. */
export type AnalyticsScope = { orgId: string; codeId?: string }

/** Figures of either scope. Only those of an organization have `topQrCodes`. */
export type Figures = Omit<QrCodeAnalytics, 'qrCodeId'> & Partial<Pick<OrganizationAnalytics, 'topQrCodes'>>

/** Returns the beginning of all query keys of a scope. */
export const analyticsKey = ({ orgId, codeId = '' }: AnalyticsScope) => ['analytics', orgId, codeId] as const

/** Reads the figures of the days in the URL, and of the days before. */
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
  // Starts after the main figures, because the scan store answers one query at a time.
  const before = useQuery({
    queryKey: [...analyticsKey(scope), 'before', query],
    queryFn: async ({ signal }) => readFigures(scope, queryBefore(search, asked), signal),
    enabled: asked.before !== undefined && current.isSuccess && !current.isPlaceholderData,
  })
  return { current, before: asked.before === undefined ? undefined : before.data }
}

/**
 * Returns the query for the days before. If the period ends today, it stops at the current time of
 * day, because a whole day cannot be compared with a part of one.
 */
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

/** Returns the URL from which the browser downloads a file. */
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
