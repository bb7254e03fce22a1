import type { OrganizationAnalytics, QrCodeAnalytics } from '@everscan/contract/analytics.ts'
import { clockOffsets, type Interval } from './calendar.ts'
import { rankedQrCodes, scanFigures, type BreakdownRow, type UniqueRow } from './figures.ts'
import { placeOfScan } from './first-scans.ts'
import type { Period } from './period.ts'
import { scopeSql, type ScanScope } from './scan-scope.ts'
import type { Params, ScanStore } from './store.ts'

/** What analytics of one code are asked for. */
export type QrCodeAnalyticsOptions = ScanScope & { qrCodeId: string; interval: Interval }

/** What analytics of an organization are asked for; `topQrCodes` are the codes to be told apart, by id. */
export type OrganizationAnalyticsOptions = Omit<ScanScope, 'qrCodeId'> & {
  interval: Interval
  topQrCodes: readonly string[]
}

/** The part of an organization's figures that the scan store knows; the catalogue has the names. */
export type OrganizationFigures = Omit<QrCodeAnalytics, 'qrCodeId'> & {
  topQrCodes: Pick<
    OrganizationAnalytics['topQrCodes'][number],
    'qrCodeId' | 'scans' | 'uniqueScans' | 'percentage'
  >[]
}

/** Scans on their way in go first. */
const behind = { priority: '2' }

/** The date of the bucket of a scan at `clock`. */
const bucketColumns: Record<Interval, string> = {
  day: 'toDate(clock)',
  week: 'toStartOfWeek(clock, 1)',
  month: 'toStartOfMonth(clock)',
}

type FiguresOptions = ScanScope & { interval: Interval; topQrCodes?: readonly string[] }

/**
 * All figures of one code over a period. Every breakdown comes from one pass over the scans, so they agree with each other
 * to the scan also while others come in. Throws ScanStoreUnavailable.
 */
export async function qrCodeAnalytics(
  store: ScanStore,
  options: QrCodeAnalyticsOptions,
): Promise<QrCodeAnalytics> {
  const { breakdown, uniques } = await selectFigures(store, options)
  return { qrCodeId: options.qrCodeId, ...scanFigures(options, breakdown, uniques) }
}

/**
 * All figures of an organization over a period, those of deleted codes among them: what was scanned was scanned. The codes
 * asked for are counted in the same pass, most scanned first. Throws ScanStoreUnavailable.
 */
export async function organizationAnalytics(
  store: ScanStore,
  options: OrganizationAnalyticsOptions,
): Promise<OrganizationFigures> {
  const { breakdown, uniques } = await selectFigures(store, options)
  return {
    ...scanFigures(options, breakdown, uniques),
    topQrCodes: rankedQrCodes(breakdown, uniques),
  }
}

/** Ids of the codes with most scans, most first, equals by id: `limit` of them after the first `offset`. */
export async function mostScannedQrCodes(
  store: ScanStore,
  scope: ScanScope,
  { limit, offset }: { limit: number; offset: number },
): Promise<string[]> {
  const { scans, params } = scopeSql(scope)
  const rows = await store.select<{ qrCodeId: string }>(
    `/* analytics.mostScannedQrCodes */
     select qr_code_id as qrCodeId
     from scans
     where ${scans}
       and class = 'human'
     group by qr_code_id
     order by count() desc, qr_code_id
     limit {limit:UInt32} offset {offset:UInt32}`,
    { ...params, limit, offset },
    { settings: behind },
  )
  return rows.map(({ qrCodeId }) => qrCodeId)
}

async function selectFigures(
  store: ScanStore,
  options: FiguresOptions,
): Promise<{ breakdown: BreakdownRow[]; uniques: UniqueRow[] }> {
  // Unique scans first: those that come in meanwhile are then scans already, and never more of them than scans.
  const uniques = await selectUniqueScans(store, options)
  return { uniques, breakdown: await selectBreakdowns(store, options) }
}

function selectBreakdowns(store: ScanStore, options: FiguresOptions): Promise<BreakdownRow[]> {
  const { scans, params } = scopeSql(options)
  const clock = clockOf(options)
  const top = topOf(options)
  return store.select<BreakdownRow>(
    `/* analytics.selectBreakdowns */
     select
       multiIf(
         grouping(bucket) = 0, 'timeline',
         grouping(city) = 0, 'cities',
         grouping(device_type) = 0, 'types',
         grouping(os) = 0, 'os',
         grouping(browser) = 0, 'browsers',
         grouping(referrer) = 0, 'referrers',
         grouping(top) = 0, 'qrCodes',
         'hours') as dimension,
       multiIf(
         dimension = 'timeline', toString(bucket),
         dimension = 'cities', toString(city),
         dimension = 'types', toString(device_type),
         dimension = 'os', toString(os),
         dimension = 'browsers', toString(browser),
         dimension = 'referrers', toString(referrer),
         dimension = 'qrCodes', toString(top),
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
         toHour(clock) as hour,
         ${top.sql} as top
       from scans
       where ${scans})
     group by grouping sets
       ((bucket), (country, city), (device_type), (os), (browser), (referrer), (top), (weekday, hour))`,
    { ...params, ...clock.params, ...top.params },
    { settings: { force_grouping_standard_compatibility: 1, ...behind } },
  )
}

/** Unique scans by bucket. Without a filter the first scans alone know; with one, the scans that are first are looked at. */
function selectUniqueScans(store: ScanStore, options: FiguresOptions): Promise<UniqueRow[]> {
  const { scans, firstScans, isFiltered, params } = scopeSql(options)
  const clock = clockOf(options)
  const top = topOf(options)
  const source = isFiltered
    ? `(select qr_code_id, time
        from scans
        where ${scans}
          and class = 'human'
          and ${placeOfScan} in (select place from first_scans final where ${firstScans}))`
    : `(select qr_code_id, fromUnixTimestamp64Milli(toInt64(bitShiftRight(place, 128)), 'UTC') as time
        from first_scans final
        where ${firstScans})`
  return store.select<UniqueRow>(
    `/* analytics.selectUniqueScans */
     select toString(${bucketColumns[options.interval]}) as date, top as qrCodeId, count() as uniqueScans
     from (select ${clock.sql} as clock, ${top.sql} as top from ${source})
     group by date, qrCodeId`,
    { ...params, ...clock.params, ...top.params },
    { settings: behind },
  )
}

/** The id of a code that is told apart, empty for the others. */
function topOf({ topQrCodes = [] }: FiguresOptions): { sql: string; params: Params } {
  if (topQrCodes.length === 0) return { sql: `''`, params: {} }
  return { sql: `if(qr_code_id in {topQrCodes:Array(String)}, qr_code_id, '')`, params: { topQrCodes } }
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
