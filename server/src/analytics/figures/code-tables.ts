import type { CodeFigures, CodeFiguresSort } from '@everscan/contract/resources/analytics-codes.ts'
import { percentage } from './figures.ts'
import { wallClock } from '../../clock-offsets.ts'
import { momentOf } from './calendar.ts'
import { daysOf, type Period } from './period.ts'
import { figuresSettings } from './query-settings.ts'
import { firstScansSql, scansByCodeSql, scansSql, type Select } from './scan-groups.ts'
import type { ScanScope } from './scan-scope.ts'
import { listedCodes, type StoredIds } from './selections.ts'
import type { Params, ClickHouse } from '../store/clickhouse.ts'

/** The figures of a code in a table. The catalogue has the rest of its row. */
export type CountedCode = Pick<
  CodeFigures,
  'qrCodeId' | 'scans' | 'uniqueScans' | 'percentage' | 'previousScans' | 'change'
>

export type CodeRanking = {
  /** The codes of the table, also those without scans. Absent: those with scans, also deleted. */
  codes?: StoredIds
  sort: Exclude<CodeFiguresSort, 'name'>
  order: 'asc' | 'desc'
  limit: number
  offset: number
}

const dayMs = 86_400_000

/**
 * Returns the period to compare with: the same times, as many days earlier as the period touches.
 * Of a period that has not ended, only the past part is compared; otherwise every morning would
 * look like a loss.
 */
export function periodBefore(period: Period, nowMs: number): Period {
  const { timezone, startMs } = period
  const days = daysOf(period)
  const earlierMs = (days.last - days.first + 1) * dayMs
  const shifted = (ms: number) => momentOf(timezone, wallClock(timezone, ms) - earlierMs)
  const endMs = Math.max(startMs, Math.min(period.endMs, nowMs))
  return { timezone, startMs: shifted(startMs), endMs: shifted(endMs) }
}

/**
 * Returns the ids of a page of codes, in the order of a figure, equal ones by id. Codes without a
 * change come last in either order. Throws ScanStoreUnavailable.
 */
export async function rankCodes(
  store: ClickHouse,
  {
    scope: all,
    before,
    codes,
    sort,
    order,
    limit,
    offset,
  }: CodeRanking & { scope: ScanScope; before: Period },
): Promise<string[]> {
  // The list of codes leaves out all others. Only a short one is also faster to read.
  const scope = all.selection?.mode === 'only' ? all : { ...all, selection: undefined }
  const counts = sort === 'uniqueScans' ? uniquesOf(scope) : scansByCodeSql(scope)
  const previous =
    sort === 'change' ? prefixed(scansByCodeSql({ ...scope, ...before }), 'before_') : undefined
  const parts = [
    ...(codes === undefined
      ? []
      : [`select id, 0 as counted, 0 as previous, 1 as listed from (${codes.sql})`]),
    `select id, toInt64(human) as counted, 0 as previous, 0 as listed from (${counts.sql})`,
    ...(previous === undefined
      ? []
      : [`select id, 0 as counted, toInt64(human) as previous, 0 as listed from (${previous.sql})`]),
  ]
  const value =
    sort === 'change'
      ? 'if(sum(previous) = 0, null, (sum(counted) - sum(previous)) / sum(previous))'
      : 'sum(counted)'
  const rows = await store.select<{ qrCodeId: string }>(
    `/* analytics.rankCodes */
     select id as qrCodeId
     from (${parts.join('\nunion all\n')})
     group by id
     ${codes === undefined ? '' : 'having max(listed) = 1'}
     order by ${value} ${order} nulls last, id
     limit {limit:UInt32} offset {offset:UInt64}`,
    { ...codes?.params, ...counts.params, ...previous?.params, limit, offset },
    { settings: figuresSettings },
  )
  return rows.map(({ qrCodeId }) => qrCodeId)
}

/**
 * Returns the figures of some codes, in the order of `ids`. All come from one state of the scans.
 * Percentages are of all scans in the scope. Throws ScanStoreUnavailable.
 */
export async function countCodes(
  store: ClickHouse,
  { scope, before, ids }: { scope: ScanScope; before: Period; ids: readonly string[] },
): Promise<CountedCode[]> {
  if (ids.length === 0) return []
  const page = { ...scope, selection: listedCodes('pageIds', ids) }
  // Unique scans come first: see `selectBreakdowns`.
  const parts: readonly [kind: string, Select][] = [
    ['uniqueScans', uniquesOf(page)],
    ['previousScans', prefixed(scansByCodeSql({ ...page, ...before }), 'before_')],
    ['scans', scansByCodeSql(page)],
    ['total', scansSql(scope)],
  ]
  const rows = await store.select<{ kind: string; id: string; counted: number }>(
    `/* analytics.countCodes */
     ${parts
       .map(
         ([kind, { sql }]) =>
           `select '${kind}' as kind, ${kind === 'total' ? `''` : 'id'} as id, toInt64(sum(human)) as counted
            from (${sql})
            ${kind === 'total' ? '' : 'group by id'}`,
       )
       .join('\nunion all\n')}`,
    Object.assign({}, ...parts.map(([, { params }]) => params)) as Params,
    { settings: figuresSettings },
  )
  const counts = new Map(rows.map(({ kind, id, counted }) => [`${kind} ${id}`, counted]))
  const count = (kind: string, id = '') => counts.get(`${kind} ${id}`) ?? 0
  return ids.map((qrCodeId) => {
    const scans = count('scans', qrCodeId)
    const previousScans = count('previousScans', qrCodeId)
    return {
      qrCodeId,
      scans,
      uniqueScans: count('uniqueScans', qrCodeId),
      percentage: percentage(scans, count('total')),
      previousScans,
      change: changeOf(scans, previousScans),
    }
  })
}

/** Returns a change in percent, with one decimal, or null if there was nothing before. */
function changeOf(scans: number, previousScans: number): number | null {
  if (previousScans === 0) return null
  return Math.round((1000 * (scans - previousScans)) / previousScans) / 10
}

function uniquesOf(scope: ScanScope): Select {
  const { source, params } = firstScansSql(scope)
  return { sql: `select qr_code_id as id, count() as human from ${source} group by id`, params }
}

/**
 * Renames the parameters of a period, so that a statement can have two. Other parameters are the
 * same in both.
 */
function prefixed({ sql, params }: Select, prefix: string): Select {
  const own = ['startMs', 'endMs', 'monthFrom', 'monthUntil'].filter((name) => name in params)
  const renamed = own.reduce((text, name) => text.replaceAll(`{${name}:`, `{${prefix}${name}:`), sql)
  const entries = Object.entries(params).map(([name, value]): [string, Params[string]] => [
    own.includes(name) ? prefix + name : name,
    value,
  ])
  return { sql: renamed, params: Object.fromEntries(entries) }
}
