import type { QrCodeAnalytics, ScanFilters } from '@everscan/contract/analytics.ts'
import { clockOffsets, type Interval } from './calendar.ts'
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

/** Scans on their way in go first. */
const behind = { priority: '2' }

/** The date of the bucket of a scan at `clock`. */
const bucketColumns: Record<Interval, string> = {
  day: 'toDate(clock)',
  week: 'toStartOfWeek(clock, 1)',
  month: 'toStartOfMonth(clock)',
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
  const clock = clockOf(options)
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
         ${clock.sql} as clock,
         ${bucketColumns[options.interval]} as bucket,
         toDayOfWeek(clock) as weekday,
         toHour(clock) as hour
       from scans
       where organization_id = {organizationId:String}
         and qr_code_id = {qrCodeId:String}
         and time >= fromUnixTimestamp64Milli({startMs:Int64})
         and time < fromUnixTimestamp64Milli({endMs:Int64})
         ${filter.sql})
     group by grouping sets
       ((bucket), (country, city), (device_type), (os), (browser), (referrer), (weekday, hour))`,
    { ...paramsOf(options), ...filter.params, ...clock.params },
    { settings: { force_grouping_standard_compatibility: 1, ...behind } },
  )
}

/** Unique scans by bucket. Without a filter the first scans alone know; with one, the scans that are first are looked at. */
function selectUniqueScans(store: ScanStore, options: QrCodeAnalyticsOptions): Promise<UniqueRow[]> {
  const filter = filterOf(options.filters)
  const clock = clockOf(options)
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
     select toString(${bucketColumns[options.interval]}) as date, count() as uniqueScans
     from (
       select ${clock.sql} as clock
       from ${source}
       where time >= fromUnixTimestamp64Milli({startMs:Int64})
         and time < fromUnixTimestamp64Milli({endMs:Int64}))
     group by date`,
    { ...paramsOf(options), ...filter.params, ...clock.params },
    { settings: behind },
  )
}

function paramsOf({ organizationId, qrCodeId, startMs, endMs }: QrCodeAnalyticsOptions): Params {
  return { organizationId, qrCodeId, startMs, endMs }
}

/**
 * What clocks showed at `time`. The offsets come from here: the store would take 5 MB for every time zone it is ever
 * asked about (measured: 2 GB for all of them), and its time zone database may be another release than ours.
 */
function clockOf({ timezone, startMs, endMs }: Period): { sql: string; params: Params } {
  const params: Params = {}
  const cases: string[] = []
  const offsets = clockOffsets(timezone, startMs, endMs)
  for (const [index, { untilMs, offsetMs }] of offsets.entries()) {
    params[`offset_${index}`] = Math.round(offsetMs / 1000)
    if (index < offsets.length - 1) {
      params[`until_${index}`] = untilMs
      cases.push(`time < fromUnixTimestamp64Milli({until_${index}:Int64}), {offset_${index}:Int32}`)
    } else cases.push(`{offset_${index}:Int32}`)
  }
  return {
    sql: `toDateTime(time) + ${cases.length === 1 ? cases[0] : `multiIf(${cases.join(', ')})`}`,
    params,
  }
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
