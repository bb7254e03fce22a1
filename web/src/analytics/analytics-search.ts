import { deviceTypes, type ScanFilters } from '@everscan/contract/resources/analytics.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import { patterns } from '@everscan/contract/schema/patterns.ts'
import { intervals, isDate, periodNames, type Interval, type PeriodName } from './periods.ts'

export const filterNames = [
  'country',
  'city',
  'deviceType',
  'os',
  'browser',
  'referrer',
] as const satisfies readonly (keyof ScanFilters)[]
export type FilterName = (typeof filterNames)[number]
/** Chosen values by filter. An absent filter does not apply. */
export type Filters = { [name in FilterName]?: string[] | undefined }

/**
 * Search parameters of analytics. Defaults: the last 30 days in the time zone of this device,
 * compared with the 30 days before, without filters.
 */
export type AnalyticsSearch = Filters & {
  period?: PeriodName | undefined
  /** First and last day of a custom period. */
  from?: string | undefined
  to?: string | undefined
  timezone?: string | undefined
  interval?: Interval | undefined
  compare?: false | undefined
  /** Options of the list of scans. */
  bots?: true | undefined
  page?: number | undefined
}

/** Reads search parameters. People type and paste URLs, so invalid values are left out. */
export function readAnalyticsSearch(search: Record<string, unknown>): AnalyticsSearch {
  const { from, to, timezone } = search
  const hasDates = isDate(from) && isDate(to) && from <= to
  const period = periodNames.find((one) => one === search['period'])
  const page = Number(search['page'])
  return {
    period: period === 'own' && !hasDates ? undefined : period,
    from: period === 'own' && hasDates ? from : undefined,
    to: period === 'own' && hasDates ? to : undefined,
    timezone: typeof timezone === 'string' && isTimezone(timezone) ? timezone : undefined,
    interval: intervals.find((one) => one === search['interval']),
    compare: search['compare'] === false ? false : undefined,
    bots: search['bots'] === true ? true : undefined,
    page: Number.isInteger(page) && page > 1 ? page : undefined,
    ...Object.fromEntries(filterNames.map((name) => [name, readValues(name, search[name])])),
  }
}

function readValues(name: FilterName, given: unknown): string[] | undefined {
  const values = (Array.isArray(given) ? given : [given])
    .filter((value) => typeof value === 'string' || typeof value === 'number')
    .map(String)
    .filter((value) => isValue(name, value))
  const different = [...new Set(values)].slice(0, limits.analyticsFilterValuesMax)
  return different.length === 0 ? undefined : different
}

function isValue(name: FilterName, value: string): boolean {
  if (name === 'country') return new RegExp(patterns.country).test(value)
  if (name === 'deviceType') return deviceTypes.some((one) => one === value)
  // An empty referrer is a value too: most scans have none.
  return value.length <= 255 && (value !== '' || name === 'referrer')
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

/** Returns the filters of the URL in the form that the API takes. */
export function filtersOf(search: AnalyticsSearch): ScanFilters {
  return Object.fromEntries(
    filterNames.flatMap((name) => (search[name] === undefined ? [] : [[name, search[name]]])),
  )
}
