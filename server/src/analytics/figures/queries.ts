import type {
  MatrixSides,
  OrganizationAnalyticsOptions,
  OrganizationFigures,
  QrCodeAnalyticsOptions,
  QrCodeFigures,
} from '../scan-store.ts'
import { clockSql } from './clock-sql.ts'
import { codeFiguresOf, organizationFiguresOf } from './answers.ts'
import type { BreakdownRow } from './figures.ts'
import {
  firstScansSql,
  groupsSql,
  scansByCodeSql,
  scansSql,
  type GroupsOptions,
  type Select,
} from './scan-groups.ts'
import { figuresSettings } from './query-settings.ts'
import { matrixSql } from './scan-matrix.ts'
import type { SqlScope } from './scan-scope.ts'
import { listedCodes } from './selections.ts'
import { closedOwnerOf } from '../store/closed-owner.ts'
import type { Params, ClickHouse } from '../store/clickhouse.ts'

export async function qrCodeAnalytics(
  store: ClickHouse,
  options: QrCodeAnalyticsOptions,
): Promise<QrCodeFigures> {
  return codeFiguresOf(options, await selectBreakdowns(store, options))
}

export async function organizationAnalytics(
  store: ClickHouse,
  options: Omit<OrganizationAnalyticsOptions, 'selection'> & SqlScope,
): Promise<OrganizationFigures> {
  return organizationFiguresOf(options, await selectBreakdowns(store, options))
}

export async function mostScannedQrCodes(
  store: ClickHouse,
  scope: SqlScope,
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
    { settings: figuresSettings },
  )
  return rows.map(({ qrCodeId }) => qrCodeId)
}

type BreakdownOptions = GroupsOptions & { matrix?: MatrixSides | undefined }

/**
 * Runs one statement, because the store takes milliseconds for every statement. The store takes the
 * state of its tables in the order in which the statement names them. Unique scans come first:
 * those that arrive meanwhile are already scans, so there are never more unique scans than scans.
 * The cells of a matrix come before the totals for the same reason.
 */
function selectBreakdowns(store: ClickHouse, options: BreakdownOptions): Promise<BreakdownRow[]> {
  const { matrix } = options
  const parts = [
    options.byDestination === true ? uniqueScansByDestinationSql(options) : uniqueScansSql(options),
    ...(matrix === undefined ? [] : [matrixSql(options, matrix)]),
    closedHitsSql(options),
    groupsSql(options),
  ]
  return store.select<BreakdownRow>(
    `/* analytics.selectBreakdowns */
     ${parts.map(({ sql }) => sql).join('\nunion all\n')}
     settings force_grouping_standard_compatibility = 1`,
    Object.assign({}, ...parts.map(({ params }) => params)) as Params,
    { settings: figuresSettings },
  )
}

/**
 * Selects unique scans by bucket and by destination from one state of the scans, so that both add
 * up to the same sum.
 */
function uniqueScansByDestinationSql(options: GroupsOptions): Select {
  const clock = clockSql(options)
  const { source, params } = firstScansSql(options)
  return {
    sql: `
     select
       if(grouping(bucket) = 0, 'uniqueScans', 'uniqueScansOfDestinations') as dimension,
       if(grouping(bucket) = 0, toString(bucket), destination) as value,
       toInt64(count()) as scans,
       0 as botScans
     from (
       select ${clock.bucket(options.interval, 'time')} as bucket, destination
       from ${source})
     group by grouping sets ((bucket), (destination))`,
    params: { ...params, ...clock.params },
  }
}

/** Selects the number of hits on closed codes, which have an owner of their own. */
function closedHitsSql(options: GroupsOptions): Select {
  const owner = closedOwnerOf(options.organizationId)
  const { sql, params } = scansSql({ ...options, organizationId: owner }, 'bot')
  const { organizationId: closedOwner = owner, ...rest } = params
  return {
    sql: `select 'closed' as dimension, '' as value, sum(human) as scans, 0 as botScans
     from (${sql.replaceAll('{organizationId:', '{closedOwner:')})`,
    params: { ...rest, closedOwner },
  }
}

/** Selects unique scans by bucket and by code. */
function uniqueScansSql(options: GroupsOptions): Select {
  const clock = clockSql(options)
  const bucket = clock.bucket(options.interval, 'time')
  const { topQrCodes = [] } = options
  const { source, params } = firstScansSql(options)
  const ofTopCodes = firstScansSql({ ...options, selection: listedCodes('topQrCodes', topQrCodes) })
  const ofCodes = `
     union all
     select 'uniqueScansOfCodes' as dimension, qr_code_id as value, toInt64(count()) as scans, 0 as botScans
     from ${ofTopCodes.source}
     group by qr_code_id`
  return {
    sql: `
     select
       'uniqueScans' as dimension,
       toString(${bucket}) as value,
       toInt64(count()) as scans,
       0 as botScans
     from ${source}
     group by ${bucket}
     ${topQrCodes.length === 0 ? '' : ofCodes}`,
    params: { ...params, ...ofTopCodes.params, ...clock.params },
  }
}
