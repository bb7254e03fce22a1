import type { OrganizationAnalytics, QrCodeAnalytics } from '@everscan/client/create-client.ts'
import type { MatrixDimension } from '@everscan/contract/dimensions/dimensions.ts'
import type {
  OrganizationAnalyticsQuery,
  OrganizationExportQuery,
} from '@everscan/contract/resources/analytics.ts'
import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query'
import type { AnalyticsSearch } from './analytics-search.ts'
import { api } from '../session/api.ts'
import { queryOf, type Asked } from './asked.ts'
import { clockTime } from './periods.ts'

/** Scope of analytics: one code, or codes of an organization. */
export type AnalyticsScope = { orgId: string; codeId?: string }

/**
 * Figures of either scope. Only those of a code have `destinations`, only those of an organization
 * `topQrCodes` and `totalQrCodes`.
 */
export type Figures = Omit<QrCodeAnalytics, 'qrCodeId' | 'summary' | 'destinations'> &
  Partial<Pick<QrCodeAnalytics, 'destinations'>> &
  Partial<Pick<OrganizationAnalytics, 'topQrCodes'>> & {
    summary: QrCodeAnalytics['summary'] & Partial<Pick<OrganizationAnalytics['summary'], 'totalQrCodes'>>
  }

/**
 * Figures and the view that they answer. While another view is read, both are those of the view
 * before: its days must not be drawn as hours, nor its codes be named as cities.
 */
export type AnsweredView = {
  figures: Figures
  asked: Asked
  /** Dimensions of the matrix. */
  dimensions: readonly [MatrixDimension, MatrixDimension]
}

type Query = Omit<OrganizationAnalyticsQuery, 'format'>

/** Returns the beginning of all query keys of a scope. */
export const analyticsKey = ({ orgId, codeId = '' }: AnalyticsScope) => ['analytics', orgId, codeId] as const

/** Returns the two dimensions of the heat table. One code is not compared with other codes. */
export function matrixOf(
  { codeId }: Pick<AnalyticsScope, 'codeId'>,
  { matrix }: AnalyticsSearch,
): readonly [MatrixDimension, MatrixDimension] {
  const chosen = matrix?.split(',') as [MatrixDimension, MatrixDimension] | undefined
  if (codeId === undefined) return chosen ?? ['code', 'city']
  return chosen === undefined || chosen.includes('code') ? ['city', 'deviceType'] : chosen
}

/** Reads the figures of the days in the URL. */
export function useFigures(
  scope: AnalyticsScope,
  search: AnalyticsSearch,
  asked: Asked,
): UseQueryResult<AnsweredView> {
  const dimensions = matrixOf(scope, search)
  const query = { ...queryOf(search, asked, asked.dates), matrix: dimensions.join() }
  return useQuery({
    queryKey: [...analyticsKey(scope), 'figures', query],
    queryFn: async ({ signal }): Promise<AnsweredView> => ({
      figures: await readFigures(scope, query, signal),
      asked,
      dimensions,
    }),
    placeholderData: keepPreviousData,
  })
}

/** Reads the figures of the days before, if they are compared, once `isReady`. */
export function useFiguresBefore(
  scope: AnalyticsScope,
  { search, asked }: { search: AnalyticsSearch; asked: Asked },
  isReady: boolean,
): UseQueryResult<Figures> {
  return useQuery({
    queryKey: [...analyticsKey(scope), 'before', queryOf(search, asked, asked.dates)],
    queryFn: async ({ signal }) => readFigures(scope, queryBefore(search, asked), signal),
    enabled: asked.before !== undefined && isReady,
  })
}

/**
 * Returns the query for the days before. If the period ends today, it stops at the current time of
 * day, because a whole day cannot be compared with a part of one.
 */
function queryBefore(search: AnalyticsSearch, asked: Asked): Query {
  const { timezone, dates, before = dates } = asked
  const query = queryOf(search, asked, before)
  const now = clockTime(timezone, Date.now())
  return now.startsWith(dates.endDate) ? { ...query, endDate: `${before.endDate}${now.slice(10)}` } : query
}

async function readFigures(
  { orgId, codeId }: AnalyticsScope,
  query: Query,
  signal: AbortSignal,
): Promise<Figures> {
  return codeId === undefined
    ? api.analytics.ofOrganization(orgId, query, { signal })
    : api.qrCodes.analytics(orgId, codeId, query, { signal })
}

/** Returns the query of scans in the days of a view, as exports and lists take it. */
export function scansQueryOf(search: AnalyticsSearch, asked: Asked): OrganizationExportQuery {
  const { interval: _, ...query } = queryOf(search, asked, asked.dates)
  return query
}

export const downloadFiles = ['scans', 'figures', 'json'] as const
export type DownloadFile = (typeof downloadFiles)[number]

/** Returns the URL from which the browser downloads a file. */
export function downloadAddress(
  { orgId, codeId }: AnalyticsScope,
  file: DownloadFile,
  { search, asked }: { search: AnalyticsSearch; asked: Asked },
): string {
  const query =
    file === 'scans'
      ? scansQueryOf(search, asked)
      : {
          ...queryOf(search, asked, asked.dates),
          matrix: matrixOf({ ...(codeId !== undefined && { codeId }) }, search).join(),
          ...(file === 'figures' && { format: 'csv' }),
        }
  const parameters = Object.entries(query).flatMap(([name, given]) =>
    [given].flat().map((value): [string, string] => [name, value]),
  )
  const of = codeId === undefined ? 'qr-codes' : `qr-codes/${encodeURIComponent(codeId)}`
  const path = file === 'scans' ? `${of}/analytics/export` : `${of}/analytics`
  return `/api/v1/organizations/${orgId}/${path}?${new URLSearchParams(parameters).toString()}`
}
