import { qrCodeTypes, type QrCodeType } from '@everscan/contract/code-types/code-types.ts'
import { codeFiguresSorts, type CodeFiguresSort } from '@everscan/contract/resources/analytics-codes.ts'
import { intervals, type Interval } from '@everscan/contract/resources/analytics.ts'
import { orders } from '@everscan/contract/resources/qr-codes.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import { patterns } from '@everscan/contract/schema/patterns.ts'
import { readSelectionSearch, type SelectionSearch } from '../codes/selected-ids.ts'
import { filterNames, readFilterValues, type Filters } from './filters.ts'
import { defaultPeriod, isDate, periodNames, type PeriodName } from './periods.ts'

/** The codes whose scans are shown: those that match every parameter. By default all. */
export type ScopeSearch = SelectionSearch & {
  /** Id of a folder, or "none". */
  folder?: string | undefined
  tags?: string[] | undefined
  type?: QrCodeType | undefined
}

/** Search parameters of the scope of all codes. */
export const noScope = {
  folder: undefined,
  tags: undefined,
  type: undefined,
  ids: undefined,
  selection: undefined,
} satisfies ScopeSearch

/**
 * Search parameters of analytics. Defaults: all codes, the last 30 days in the time zone of this
 * device, compared with the 30 days before, without filters.
 */
export type AnalyticsSearch = Filters &
  ScopeSearch & {
    period?: PeriodName | undefined
    /** First and last day of a custom period. */
    from?: string | undefined
    to?: string | undefined
    timezone?: string | undefined
    interval?: Interval | undefined
    compare?: false | undefined
    /** Two dimensions with a comma. */
    matrix?: string | undefined
    /** Order of the table of codes. */
    sort?: CodeFiguresSort | undefined
    order?: (typeof orders)[number] | undefined
    /** Option of the list of scans. */
    bots?: true | undefined
    /** Page of the table of codes, or of the list of scans. */
    page?: number | undefined
  }

/** Names of periods in links of earlier versions. */
const earlierPeriods: Readonly<Record<string, PeriodName>> = {
  '7d': 'last-7-days',
  '30d': 'last-30-days',
  '90d': 'last-90-days',
  '12m': 'last-12-months',
}

/** Reads search parameters. People type and paste URLs, so invalid values are left out. */
export function readAnalyticsSearch(search: Record<string, unknown>): AnalyticsSearch {
  return { ...readCodeAnalyticsSearch(search), ...readScope(search) }
}

/** Reads the search parameters of the analytics of one code, which have no scope. */
export function readCodeAnalyticsSearch(search: Record<string, unknown>): AnalyticsSearch {
  const { timezone, matrix } = search
  const page = Number(search['page'])
  return {
    ...readPeriod(search),
    timezone: typeof timezone === 'string' && isTimezone(timezone) ? timezone : undefined,
    interval: intervals.find((one) => one === search['interval']),
    compare: search['compare'] === false ? false : undefined,
    matrix: typeof matrix === 'string' && new RegExp(patterns.matrix).test(matrix) ? matrix : undefined,
    sort: codeFiguresSorts.find((one) => one === search['sort']),
    order: orders.find((one) => one === search['order']),
    bots: search['bots'] === true ? true : undefined,
    page: Number.isInteger(page) && page > 1 ? page : undefined,
    ...Object.fromEntries(filterNames.map((name) => [name, readFilterValues(name, search[name])])),
  }
}

function readPeriod(search: Record<string, unknown>): Pick<AnalyticsSearch, 'period' | 'from' | 'to'> {
  const { from, to } = search
  const given = search['period']
  const period =
    periodNames.find((one) => one === given) ??
    (typeof given === 'string' && Object.hasOwn(earlierPeriods, given) ? earlierPeriods[given] : undefined)
  if (period === 'own')
    return isDate(from) && isDate(to) && from <= to ? { period, from, to } : { period: undefined }
  return { period: period === defaultPeriod ? undefined : period }
}

function readScope(search: Record<string, unknown>): ScopeSearch {
  const tags = [search['tags']]
    .flat()
    .filter((tag) => typeof tag === 'string' || typeof tag === 'number')
    .map(String)
    .filter((tag) => tag.trim() !== '' && tag.length <= limits.tagCharsMax)
  const { folder } = search
  return {
    folder: typeof folder === 'string' && /^\w{1,64}$/.test(folder) ? folder : undefined,
    tags: tags.length === 0 ? undefined : [...new Set(tags)].slice(0, limits.tagsMax),
    type: qrCodeTypes.find((one) => one === search['type']),
    ...readSelectionSearch(search),
  }
}

/** Returns whether the view is limited to some codes. */
export function hasScope(search: ScopeSearch): boolean {
  return (Object.keys(noScope) as (keyof ScopeSearch)[]).some((name) => search[name] !== undefined)
}

function isTimezone(name: string): boolean {
  try {
    return (
      new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '' &&
      new RegExp(patterns.timezone).test(name)
    )
  } catch {
    return false
  }
}
