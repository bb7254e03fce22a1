import { filterLists, filterParam } from '../../figures/scan-filters.ts'
import { closedOwnerOf } from '../../store/closed-owner.ts'
import type { ScanScope } from '../../scan-store.ts'
import type { ReadParams } from '../parquet/select.ts'
import { valueSql } from './file-columns.ts'
import type { ReadableSelection } from './readable-ids.ts'

/** A part of a query, and its parameters. */
export type FileSql = { sql: string; params: ReadParams }

/** A scope whose selection a query can read. */
export type FileScope = Omit<ScanScope, 'selection'> & { selection?: ReadableSelection | undefined }

/**
 * Returns the condition of a scope: owner, selection, period and filters. Values are compared with
 * the sorted columns first: the engine then skips most groups of rows.
 */
export function conditionOf(scope: FileScope): FileSql {
  return conditionFor('organization_id = $organizationId', scope)
}

/** Returns the condition of a scope with the hits on its closed codes. */
export function conditionWithClosed(scope: FileScope): FileSql {
  const { sql, params } = conditionFor(ownersSql, scope)
  return { sql, params: { ...params, closedOwner: closedOwnerOf(scope.organizationId) } }
}

/**
 * Condition for the scans of an organization and the hits on its closed codes, which have an owner
 * of their own. Files are sorted by owners: the two bounds say which rows the engine can skip.
 */
export const ownersSql = `organization_id >= $organizationId and organization_id <= $closedOwner
  and organization_id in ($organizationId, $closedOwner)`

function conditionFor(owners: string, scope: FileScope): FileSql {
  const { organizationId, startMs, endMs } = scope
  const rest = conditionOfRest(scope)
  return {
    sql: `${owners} and ${timesSql()} ${rest.sql}`,
    params: { organizationId, startMs, endMs, ...rest.params },
  }
}

/** Returns the condition of a scope but for its owner and its period. */
export function conditionOfRest({
  qrCodeId,
  selection,
  filters,
}: Pick<FileScope, 'qrCodeId' | 'selection' | 'filters'>): FileSql {
  const filter = filterSql(filters)
  return {
    sql: [
      ...(qrCodeId === undefined ? [] : ['and qr_code_id = $qrCodeId']),
      ...(selection === undefined ? [] : [`and ${selectionSql(selection)}`]),
      ...filter.sql,
    ].join('\n'),
    params: {
      ...(qrCodeId !== undefined && { qrCodeId }),
      ...selection?.ids.params,
      ...filter.params,
    },
  }
}

/** The names of the parameters of a period, and of the one before it. */
export const timeParams = {
  now: { start: 'startMs', end: 'endMs' },
  before: { start: 'beforeStartMs', end: 'beforeEndMs' },
} as const

/** Returns the condition of a period. */
export function timesSql({ start, end }: { start: string; end: string } = timeParams.now): string {
  return `time >= make_timestamp_ms($${start}) and time < make_timestamp_ms($${end})`
}

export function selectionSql({ mode, ids }: ReadableSelection): string {
  if (mode === 'only') return `qr_code_id in (${ids.sql})`
  return `not exists (select 1 from (${ids.sql}) as selected where selected.id = qr_code_id)`
}

/** Values are compared one by one: the engine finds them in the statistics of a file. */
function filterSql(filters: ScanScope['filters']): { sql: string[]; params: ReadParams } {
  const params: Record<string, string> = {}
  const sql = filterLists(filters).map((list) => {
    const names = list.values.map((value, at) => {
      const name = `${filterParam(list)}_${at}`
      params[name] = value
      return `$${name}`
    })
    return `and ${valueSql(list.name)} ${list.isExcluded ? 'not in' : 'in'} (${names.join(', ')})`
  })
  return { sql, params }
}
