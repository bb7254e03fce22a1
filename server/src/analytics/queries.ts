import type { QrCodeAnalytics, ScanFilters } from '@everscan/contract/analytics.ts'
import type { Interval } from './calendar.ts'
import { scanFigures, type BreakdownRow, type UniqueRow } from './figures.ts'
import { placeOfScan } from './first-scans.ts'
import type { Period } from './period.ts'
import type { Params, ScanStore } from './store.ts'

/** What analytics of one code are asked for. */
export type QrCodeAnalyticsOptions = Period & {
  organizationId: string
  qrCodeId: string
  interval: Interval
  /** Several values of one filter are alternatives; several filters must all hold. Absent or empty: no filter. */
  filters: ScanFilters
}

/** What scans can be filtered by, and the column of each: nothing else of a request gets near the SQL. */
const filterColumns = {
  country: 'country',
  city: 'city',
  deviceType: 'device_type',
  os: 'os',
  browser: 'browser',
  referrer: 'referrer',
} as const satisfies Record<keyof ScanFilters, string>

/** The date of the bucket of a scan at `time`. */
const bucketColumns: Record<Interval, string> = {
  day: 'toDate(time, {timezone:String})',
  week: 'toStartOfWeek(time, 1, {timezone:String})',
  month: 'toStartOfMonth(time, {timezone:String})',
}

/**
 * All figures of one code over a period. Every breakdown comes from one pass over the scans, so they agree with each other
 * to the scan also while others come in. Throws ScanStoreUnavailable.
 */
export async function qrCodeAnalytics(
  store: ScanStore,
  options: QrCodeAnalyticsOptions,
): Promise<QrCodeAnalytics> {
  // Unique scans first: those that come in meanwhile are then scans already, and never more of them than scans.
  const uniques = await selectUniqueScans(store, options)
  const breakdown = await selectBreakdowns(store, options)
  return { qrCodeId: options.qrCodeId, ...scanFigures(options, breakdown, uniques) }
}

function selectBreakdowns(store: ScanStore, options: QrCodeAnalyticsOptions): Promise<BreakdownRow[]> {
  const filter = filterOf(options.filters)
  return store.select<BreakdownRow>(
    `/* analytics.qrCodeAnalytics */
     select
       multiIf(
         grouping(bucket) = 0, 'timeline',
         grouping(city) = 0, 'cities',
         grouping(device_type) = 0, 'types',
         grouping(os) = 0, 'os',
         grouping(browser) = 0, 'browsers',
         grouping(referrer) = 0, 'referrers',
         'hours') as dimension,
       multiIf(
         dimension = 'timeline', toString(bucket),
         dimension = 'cities', toString(city),
         dimension = 'types', toString(device_type),
         dimension = 'os', toString(os),
         dimension = 'browsers', toString(browser),
         dimension = 'referrers', toString(referrer),
         toString(weekday * 24 + hour)) as value,
       country,
       countIf(class = 'human') as scans,
       countIf(class != 'human') as botScans
     from (
       select
         class, country, city, device_type, os, browser, referrer,
         ${bucketColumns[options.interval]} as bucket,
         toDayOfWeek(time, 0, {timezone:String}) as weekday,
         toHour(time, {timezone:String}) as hour
       from scans
       where organization_id = {organizationId:String}
         and qr_code_id = {qrCodeId:String}
         and time >= fromUnixTimestamp64Milli({startMs:Int64})
         and time < fromUnixTimestamp64Milli({endMs:Int64})
         ${filter.sql})
     group by grouping sets
       ((bucket), (country, city), (device_type), (os), (browser), (referrer), (weekday, hour))`,
    { ...paramsOf(options), ...filter.params },
    { settings: { force_grouping_standard_compatibility: 1 } },
  )
}

/** Unique scans by bucket. Without a filter the first scans alone know; with one, the scans that are first are looked at. */
function selectUniqueScans(store: ScanStore, options: QrCodeAnalyticsOptions): Promise<UniqueRow[]> {
  const filter = filterOf(options.filters)
  const bucket = bucketColumns[options.interval]
  const source =
    filter.sql === ''
      ? `(select fromUnixTimestamp64Milli(toInt64(bitShiftRight(place, 128)), 'UTC') as time
          from first_scans final
          where organization_id = {organizationId:String}
            and qr_code_id = {qrCodeId:String})`
      : `(select time
          from scans
          where organization_id = {organizationId:String}
            and qr_code_id = {qrCodeId:String}
            and time >= fromUnixTimestamp64Milli({startMs:Int64})
            and time < fromUnixTimestamp64Milli({endMs:Int64})
            and class = 'human'
            ${filter.sql}
            and ${placeOfScan} in (
              select place
              from first_scans final
              where organization_id = {organizationId:String}
                and qr_code_id = {qrCodeId:String}))`
  return store.select<UniqueRow>(
    `/* analytics.qrCodeAnalytics, unique scans */
     select toString(${bucket}) as date, count() as uniqueScans
     from ${source}
     where time >= fromUnixTimestamp64Milli({startMs:Int64})
       and time < fromUnixTimestamp64Milli({endMs:Int64})
     group by date`,
    { ...paramsOf(options), ...filter.params },
  )
}

function paramsOf({ organizationId, qrCodeId, startMs, endMs, timezone }: QrCodeAnalyticsOptions): Params {
  return { organizationId, qrCodeId, startMs, endMs, timezone }
}

function filterOf(filters: ScanFilters): { sql: string; params: Params } {
  const conditions: string[] = []
  const params: Params = {}
  for (const [name, column] of Object.entries(filterColumns)) {
    const values = filters[name as keyof typeof filterColumns]
    if (values === undefined || values.length === 0) continue
    conditions.push(`and ${column} in {filter_${name}:Array(String)}`)
    params[`filter_${name}`] = values
  }
  return { sql: conditions.join('\n'), params }
}
