import type { ViewQuery } from '@everscan/client/create-client.ts'
import { readAnalyticsSearch, type AnalyticsSearch } from './analytics-search.ts'
import { ownTimezone, selectionOf } from './asked.ts'
import { chosenFilters } from './filters.ts'
import { selectionSearch } from '../codes/selected-ids.ts'
import { defaultPeriod } from './periods.ts'

/**
 * Returns the view that search parameters stand for. Comparison and pages are no part of it. The
 * days are fixed, or a period that moves on with time.
 */
export function viewQueryOf(search: AnalyticsSearch, codeId?: string): ViewQuery {
  const { period = defaultPeriod, from, to, timezone = ownTimezone, interval, matrix } = search
  return {
    ...(period !== 'own' && { period }),
    ...(period === 'own' && from !== undefined && { startDate: from }),
    ...(period === 'own' && to !== undefined && { endDate: to }),
    timezone,
    ...(interval !== undefined && { interval }),
    ...(matrix !== undefined && { matrix }),
    ...chosenFilters(search),
    ...(codeId === undefined ? selectionOf(search) : { qrCodeId: codeId }),
  }
}

/** Returns the search parameters of a view. Long selections of codes are kept in this tab. */
export function searchOfView(query: ViewQuery): AnalyticsSearch {
  const { period, startDate, endDate, timezone, folderId, tag, ids, qrCodeId: _, ...rest } = query
  const selected = ids?.flatMap((one) => one.split(','))
  return readAnalyticsSearch({
    ...rest,
    period: startDate === undefined ? period : 'own',
    from: startDate,
    to: endDate,
    timezone: timezone === ownTimezone ? undefined : timezone,
    folder: folderId,
    tags: tag,
    ids: undefined,
    ...(selected !== undefined && selectionSearch(selected)),
  })
}
