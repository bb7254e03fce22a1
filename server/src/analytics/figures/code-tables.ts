import type { CodeRanking, CountedCode } from '../scan-store.ts'
import { countedCodeOf } from './counted-codes.ts'
import type { Period } from './period.ts'
import { figuresSettings } from './query-settings.ts'
import { firstScansSql, scansByCodeSql, scansSql, type Select } from './scan-groups.ts'
import type { SqlScope } from './scan-scope.ts'
import { listedCodes, type StoredIds } from './selections.ts'
import type { Params, ClickHouse } from '../store/clickhouse.ts'

/** A ranking whose ids of codes a statement can read. */
type SqlRanking = Omit<CodeRanking, 'scope' | 'codes'> & { scope: SqlScope; codes?: StoredIds }

export async function rankCodes(
  store: ClickHouse,
  { scope: all, before, codes, sort, order, limit, offset }: SqlRanking,
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

export async function countCodes(
  store: ClickHouse,
  { scope, before, ids }: { scope: SqlScope; before: Period; ids: readonly string[] },
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
  return ids.map((qrCodeId) =>
    countedCodeOf(
      {
        qrCodeId,
        scans: count('scans', qrCodeId),
        uniqueScans: count('uniqueScans', qrCodeId),
        previousScans: count('previousScans', qrCodeId),
      },
      count('total'),
    ),
  )
}

function uniquesOf(scope: SqlScope): Select {
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
