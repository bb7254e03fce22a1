import { problem, type FieldProblem } from '@everscan/contract/problems/problem.ts'
import type { Interval, OrganizationAnalyticsQuery } from '@everscan/contract/resources/analytics.ts'
import type { ViewQuery } from '@everscan/contract/views/views.ts'
import {
  countDays,
  daysOfPeriod,
  intervalOfDays,
  type PeriodDays,
  type ViewPeriod,
} from '@everscan/contract/views/view-periods.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import { dateText, dayOf } from '../../analytics/figures/calendar.ts'
import { daysOf, readPeriod } from '../../analytics/figures/period.ts'
import { readFolder } from '../../catalogue/codes/folders.ts'
import { readQrCodeNames } from '../../catalogue/codes/qr-code-names.ts'
import type { Database } from '../../db/database.ts'
import { ApiError } from '../../errors.ts'
import { splitSelection } from '../figures/selections.ts'
import { validationError } from '../../request-errors.ts'

/** The query of a view at a time. */
export type ResolvedQuery = {
  days: PeriodDays
  timezone: string
  interval: Interval
  /** Parameters of analytics. */
  query: Omit<OrganizationAnalyticsQuery, 'format' | 'matrix'>
}

const selectionNames = ['folderId', 'tag', 'type', 'ids'] as const
/** Relative periods that never have more days than a timeline by the hour. */
const hourlyPeriods: ReadonlySet<ViewPeriod> = new Set([
  'today',
  'last-7-days',
  'last-30-days',
  'this-month',
  'last-month',
])

/**
 * Returns the parameters of analytics for a view. `sinceMs` is when the organization or the code
 * was created.
 */
export function resolveViewQuery(
  { period, startDate, endDate, interval, matrix: _matrix, qrCodeId: _qrCodeId, ...rest }: ViewQuery,
  { sinceMs, nowMs }: { sinceMs: number; nowMs: number },
): ResolvedQuery {
  const hasDates = startDate !== undefined || endDate !== undefined
  const { timezone: zone } = readPeriod({ timezone: rest.timezone }, nowMs)
  const dates = hasDates
    ? { startDate, endDate }
    : daysOfPeriod(period ?? 'last-30-days', {
        today: dateText(dayOf(zone, nowMs)),
        since: dateText(dayOf(zone, sinceMs)),
      })
  const read = readPeriod({ ...dates, timezone: zone }, nowMs)
  const { first, last } = daysOf(read)
  const days = { startDate: dateText(first), endDate: dateText(last) }
  const shown = interval ?? intervalOfDays(countDays(days))
  return {
    days,
    timezone: read.timezone,
    interval: shown,
    query: {
      ...rest,
      ...(dates.startDate !== undefined && { startDate: dates.startDate }),
      ...(dates.endDate !== undefined && { endDate: dates.endDate }),
      timezone: read.timezone,
      interval: shown,
    },
  }
}

/** Throws ApiError 400 for what the schema of a query cannot express, with every problem. */
export async function requireValidQuery(
  db: Database,
  organizationId: string,
  { query, nowMs }: { query: ViewQuery; nowMs: number },
): Promise<void> {
  const details = [
    ...togetherProblems(query),
    ...periodProblems(query, nowMs),
    ...(await unknownProblems(db, organizationId, query)),
  ]
  if (details.length > 0)
    throw validationError(details.map((detail) => ({ ...detail, path: `query.${detail.path}` })))
}

function togetherProblems({ period, startDate, endDate, qrCodeId, ...query }: ViewQuery): FieldProblem[] {
  const details: FieldProblem[] = []
  if (period !== undefined && (startDate !== undefined || endDate !== undefined))
    details.push({ path: 'period', ...problem('notTogetherWith', { fields: 'startDate, endDate' }) })
  const selecting = selectionNames.filter((name) => query[name] !== undefined)
  if (qrCodeId !== undefined && selecting.length > 0)
    details.push({ path: 'qrCodeId', ...problem('notTogetherWith', { fields: selecting.join(', ') }) })
  return details
}

function periodProblems(query: ViewQuery, nowMs: number): readonly FieldProblem[] {
  const { period = 'last-30-days', interval, startDate, endDate } = query
  try {
    const { days } = resolveViewQuery(query, { sinceMs: nowMs, nowMs })
    const hasDates = startDate !== undefined || endDate !== undefined
    const isHourly = hasDates ? countDays(days) <= limits.hourlyDaysMax : hourlyPeriods.has(period)
    if (interval !== 'hour' || isHourly) return []
    return [{ path: 'interval', ...problem('intervalTooFine', { max: limits.hourlyDaysMax }) }]
  } catch (error) {
    if (error instanceof ApiError && error.details !== undefined) return error.details
    throw error
  }
}

/** A view of what does not exist would show nothing for ever. */
async function unknownProblems(
  db: Database,
  organizationId: string,
  query: ViewQuery,
): Promise<FieldProblem[]> {
  const { folderId, qrCodeId, ids } = query
  const details: FieldProblem[] = []
  if (folderId !== undefined && folderId !== 'none') {
    const folder = await readFolder(db, { organizationId, id: folderId })
    if (folder === undefined) details.push({ path: 'folderId', ...problem('noSuchFolderOrNone') })
  }
  if (qrCodeId !== undefined && (await readQrCodeNames(db, organizationId, [qrCodeId])).size === 0)
    details.push({ path: 'qrCodeId', ...problem('noSuchCode') })
  if (ids !== undefined) {
    const { ids: chosen = [] } = splitSelection({ ids }).selected
    const known = await readQrCodeNames(db, organizationId, chosen)
    if (known.size < chosen.length) details.push({ path: 'ids', ...problem('noSuchCodes') })
  }
  return details
}
