import type { OrganizationAnalytics } from '@everscan/contract/resources/analytics.ts'
import type { Interval } from './calendar.ts'
import { bucketColumns, clockSql } from './clock-sql.ts'
import { rankedQrCodes, scanFigures, type BreakdownRow, type ScanFigures } from './figures.ts'
import { placeOfScan } from '../store/first-scans.ts'
import { groupsSql, scansByCodeSql, type GroupsOptions, type Select } from './scan-groups.ts'
import { scopeSql, type ScanScope } from './scan-scope.ts'
import type { ScanStore } from '../store/store.ts'

/** Options of `qrCodeAnalytics`. */
export type QrCodeAnalyticsOptions = ScanScope & { qrCodeId: string; interval: Interval }

/** Options of `organizationAnalytics`. `topQrCodes` are the ids of codes to count separately. */
export type OrganizationAnalyticsOptions = Omit<ScanScope, 'qrCodeId'> & {
  interval: Interval
  topQrCodes: readonly string[]
}

/** The figures of an organization from the scan store. The catalogue has the names of the codes. */
export type OrganizationFigures = ScanFigures & {
  topQrCodes: Pick<
    OrganizationAnalytics['topQrCodes'][number],
    'qrCodeId' | 'scans' | 'uniqueScans' | 'percentage'
  >[]
}

/** Settings of queries that run after incoming scans. */
const behind = { priority: '2' }

/**
 * Returns all figures of one code over a period. All breakdowns come from one state of the scans,
 * so they agree exactly even while scans arrive. Throws ScanStoreUnavailable.
 */
export async function qrCodeAnalytics(
  store: ScanStore,
  options: QrCodeAnalyticsOptions,
): Promise<ScanFigures & { qrCodeId: string }> {
  return { qrCodeId: options.qrCodeId, ...scanFigures(options, await selectBreakdowns(store, options)) }
}

/**
 * Returns all figures of an organization over a period. Scans of deleted codes still count. The
 * codes in `topQrCodes` are also counted separately, most scans first. Throws ScanStoreUnavailable.
 */
export async function organizationAnalytics(
  store: ScanStore,
  options: OrganizationAnalyticsOptions,
): Promise<OrganizationFigures> {
  const rows = await selectBreakdowns(store, options)
  return { ...scanFigures(options, rows), topQrCodes: rankedQrCodes(rows) }
}

/**
 * Returns the ids of the codes with the most scans, most first, equal ones by id: `limit` ids after
 * the first `offset`.
 */
export async function mostScannedQrCodes(
  store: ScanStore,
  scope: ScanScope,
  { limit, offset }: { limit: number; offset: number },
): Promise<string[]> {
  const byCode = scansByCodeSql(scope)
  const rows = await store.select<{ qrCodeId: string }>(
    `/* analytics.mostScannedQrCodes */
     select id as qrCodeId
     from (${byCode.sql})
     group by id
     order by sum(human) desc, id
     limit {limit:UInt32} offset {offset:UInt32}`,
    { ...byCode.params, limit, offset },
    { settings: behind },
  )
  return rows.map(({ qrCodeId }) => qrCodeId)
}

/**
 * Runs one statement, because the store takes milliseconds for every statement. The store takes the
 * state of its tables in the order in which the statement names them. Unique scans come first:
 * those that arrive meanwhile are already scans, so there are never more unique scans than scans.
 */
function selectBreakdowns(store: ScanStore, options: GroupsOptions): Promise<BreakdownRow[]> {
  const [uniques, groups] = [uniqueScansSql(options), groupsSql(options)]
  return store.select<BreakdownRow>(
    `/* analytics.selectBreakdowns */
     ${uniques.sql}
     union all
     ${groups.sql}
     settings force_grouping_standard_compatibility = 1`,
    { ...uniques.params, ...groups.params },
    { settings: behind },
  )
}

/**
 * Selects unique scans by bucket and by code. Without a filter, `first_scans` alone has the answer.
 * With a filter, the query reads the scans that are first scans.
 */
function uniqueScansSql(options: GroupsOptions): Select {
  const { scans, firstScans, isFiltered, params } = scopeSql(options)
  const clock = clockSql(options)
  const { topQrCodes = [] } = options
  const source = isFiltered
    ? `scans
       where ${scans}
         and class = 'human'
         and ${placeOfScan} in (select place from first_scans final where ${firstScans})`
    : `first_scans final
       where ${firstScans}`
  const ofCodes = `
     union all
     select 'uniqueScansOfCodes' as dimension, qr_code_id as value, count() as scans, 0 as botScans
     from ${source} and qr_code_id in {topQrCodes:Array(String)}
     group by qr_code_id`
  return {
    sql: `
     select 'uniqueScans' as dimension, toString(bucket) as value, count() as scans, 0 as botScans
     from (select ${clock.at('time')} as clock, ${bucketColumns[options.interval]} as bucket from ${source})
     group by bucket
     ${topQrCodes.length === 0 ? '' : ofCodes}`,
    params: { ...params, ...clock.params, ...(topQrCodes.length > 0 && { topQrCodes }) },
  }
}
