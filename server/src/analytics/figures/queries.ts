import type { OrganizationAnalytics } from '@everscan/contract/resources/analytics.ts'
import type { Interval } from './calendar.ts'
import { bucketColumns, clockSql } from './clock-sql.ts'
import { rankedQrCodes, scanFigures, type BreakdownRow, type ScanFigures } from './figures.ts'
import { placeOfScan } from '../store/first-scans.ts'
import { groupsSql, scansByCodeSql, type GroupsOptions, type Select } from './scan-groups.ts'
import { scopeSql, type ScanScope } from './scan-scope.ts'
import type { ScanStore } from '../store/store.ts'

/** What analytics of one code are asked for. */
export type QrCodeAnalyticsOptions = ScanScope & { qrCodeId: string; interval: Interval }

/** What analytics of an organization are asked for; `topQrCodes` are the codes to be told apart, by id. */
export type OrganizationAnalyticsOptions = Omit<ScanScope, 'qrCodeId'> & {
  interval: Interval
  topQrCodes: readonly string[]
}

/** The part of an organization's figures that the scan store knows; the catalogue has the names. */
export type OrganizationFigures = ScanFigures & {
  topQrCodes: Pick<
    OrganizationAnalytics['topQrCodes'][number],
    'qrCodeId' | 'scans' | 'uniqueScans' | 'percentage'
  >[]
}

/** Scans on their way in go first. */
const behind = { priority: '2' }

/**
 * All figures of one code over a period. Every breakdown comes from one state of the scans, so they agree with each other
 * to the scan also while others come in. Throws ScanStoreUnavailable.
 */
export async function qrCodeAnalytics(
  store: ScanStore,
  options: QrCodeAnalyticsOptions,
): Promise<ScanFigures & { qrCodeId: string }> {
  return { qrCodeId: options.qrCodeId, ...scanFigures(options, await selectBreakdowns(store, options)) }
}

/**
 * All figures of an organization over a period, those of deleted codes among them: what was scanned was scanned. The codes
 * asked for are counted with them, most scanned first. Throws ScanStoreUnavailable.
 */
export async function organizationAnalytics(
  store: ScanStore,
  options: OrganizationAnalyticsOptions,
): Promise<OrganizationFigures> {
  const rows = await selectBreakdowns(store, options)
  return { ...scanFigures(options, rows), topQrCodes: rankedQrCodes(rows) }
}

/** Ids of the codes with most scans, most first, equals by id: `limit` of them after the first `offset`. */
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
 * One statement, since the store needs milliseconds for any. It takes the state of its tables in the order in which they are named: unique scans come first, so that
 * those that come in meanwhile are scans already, and never more of them than scans.
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

/** Unique scans by bucket and by code. Without a filter the first scans alone know; with one, the scans that are first are looked at. */
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
