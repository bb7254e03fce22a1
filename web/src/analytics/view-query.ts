import type { OrganizationAnalyticsQuery } from '@everscan/contract/resources/analytics.ts'
import { readAnalyticsSearch, type AnalyticsSearch } from './analytics-search.ts'
import { ownTimezone, selectionOf } from './asked.ts'
import { filterNames } from './filters.ts'
import { selectionSearch } from '../codes/selected-ids.ts'
import { defaultPeriod, relativePeriods, type RelativePeriod } from './periods.ts'

/**
 * A view of analytics by the names of the API: its scope, filters, days, time zone, interval and
 * matrix. The days are fixed, or a period that moves on with time.
 */
export type ViewQuery = Omit<OrganizationAnalyticsQuery, 'format'> & { period?: RelativePeriod }

/** Returns the view that search parameters stand for. Comparison and pages are no part of it. */
export function viewQueryOf(search: AnalyticsSearch): ViewQuery {
  const { period = defaultPeriod, from, to, timezone = ownTimezone, interval, matrix } = search
  const filters = filterNames.flatMap((name) => (search[name] === undefined ? [] : [[name, search[name]]]))
  return {
    ...(period !== 'own' && { period }),
    ...(period === 'own' && from !== undefined && { startDate: from }),
    ...(period === 'own' && to !== undefined && { endDate: to }),
    timezone,
    ...(interval !== undefined && { interval }),
    ...(matrix !== undefined && { matrix }),
    ...(Object.fromEntries(filters) as OrganizationAnalyticsQuery),
    ...selectionOf(search),
  }
}

/** Returns the search parameters of a view. Long selections of codes are kept in this tab. */
export function searchOfView(query: ViewQuery): AnalyticsSearch {
  const { period, startDate, endDate, timezone, folderId, tag, ids } = query
  const selected = ids?.flatMap((one) => one.split(','))
  return readAnalyticsSearch({
    ...query,
    period: startDate === undefined ? relativePeriods.find((one) => one === period) : 'own',
    from: startDate,
    to: endDate,
    timezone: timezone === ownTimezone ? undefined : timezone,
    folder: folderId,
    tags: tag,
    ids: undefined,
    ...(selected !== undefined && selectionSearch(selected)),
  })
}
