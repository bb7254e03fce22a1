import type { MatrixDimension } from '@everscan/contract/dimensions/dimensions.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import type { MatrixSides } from '../scan-store.ts'
import { dimensionColumns, rolledSql, rollups, type RollupColumn } from './dimension-columns.ts'
import { noPosition, positionsMax } from './matrix-cells.ts'
import { figuresSettings } from './query-settings.ts'
import { scansByCodeSql, wholeUnits, type Select } from './scan-groups.ts'
import { scopeSql, signedScopes, type SqlScope } from './scan-scope.ts'
import { listedCodes } from './selections.ts'
import type { Params, ClickHouse } from '../store/clickhouse.ts'

export async function matrixSides(
  store: ClickHouse,
  scope: SqlScope,
  dimensions: readonly [MatrixDimension, MatrixDimension],
): Promise<MatrixSides> {
  const parts = dimensions.map((dimension) => valuesSql(scope, dimension))
  const sides = parts.map(
    ({ sql }, side) =>
      `select ${side} as side, value, sum(human) as scans
       from (${sql})
       group by value
       having scans > 0
       order by scans desc, value
       limit ${limits.matrixSideMax}`,
  )
  const rows = await store.select<{ side: 0 | 1; value: string; scans: number }>(
    `/* analytics.matrixSides */
     select * from (${sides.map((side) => `select * from (${side})`).join('\nunion all\n')})
     order by side, scans desc, value`,
    Object.assign({}, ...parts.map(({ params }) => params)) as Params,
    { settings: figuresSettings },
  )
  const valuesOf = (wanted: number) => rows.filter(({ side }) => side === wanted).map(({ value }) => value)
  return { dimensions, rows: valuesOf(0), columns: valuesOf(1) }
}

/**
 * Selects the cells of a matrix as rows of a breakdown: `value` is the number of the cell (see
 * `matrixOf`). Numbers are counted in half the time that texts take (measured).
 */
export function matrixSql(options: SqlScope, { dimensions, rows, columns }: MatrixSides): Select {
  const codes = [rows, columns][dimensions.indexOf('code')]
  // The codes of a side are in the selection already, and the scans of a code lie together.
  const scope = codes === undefined ? options : { ...options, selection: listedCodes('matrixCodes', codes) }
  const { scans, params } = scopeSql(scope)
  const position = (side: 0 | 1, list: string) =>
    `transform(${dimensionColumns[dimensions[side]].sql}, {${list}:Array(String)}, range(length({${list}:Array(String)})), ${noPosition})`
  return {
    sql: `
     select 'matrix' as dimension, toString(cell) as value, toInt64(count()) as scans, 0 as botScans
     from (
       select toUInt16(${position(0, 'matrixRows')} * ${positionsMax} + ${position(1, 'matrixColumns')}) as cell
       from scans
       where ${scans} and class = 'human')
     group by cell`,
    params: { ...params, matrixRows: rows, matrixColumns: columns },
  }
}

/** Returns a select of `value` and `human`, with possibly several rows for one value. */
function valuesSql(options: SqlScope, dimension: MatrixDimension): Select {
  if (dimension === 'code') {
    const { sql, params } = scansByCodeSql(options)
    return { sql: `select toString(id) as value, toInt64(human) as human from (${sql})`, params }
  }
  const parts = signedScopes(options).map(({ scope, sign }) => {
    const { scans, params } = scopeSql(scope)
    const days = wholeUnits(scope, 'day')
    const rest = days === undefined ? scans : days.rest
    const selects = [
      ...(days === undefined ? [] : [rolledValuesSql(days.owner, rolledSql(dimension))]),
      ...(rest === undefined ? [] : [rawValuesSql(rest, dimensionColumns[dimension].sql)]),
    ]
    return {
      sql: selects
        .map((select) => `select value, ${sign} * toInt64(human) as human from (${select})`)
        .join('\nunion all\n'),
      params: { ...params, ...days?.params },
    }
  })
  return {
    sql: parts.map(({ sql }) => sql).join('\nunion all\n'),
    params: Object.assign({}, ...parts.map(({ params }) => params)) as Params,
  }
}

function rawValuesSql(where: string, column: string): string {
  return `select toString(${column}) as value, count() as human
    from scans
    where ${where} and class = 'human'
    group by ${column}`
}

function rolledValuesSql(owner: string, { column, sql }: { column: RollupColumn; sql: string }): string {
  const columns = rollups.find((set) => set.some((one) => one === column))?.join(', ') ?? column
  return `select ${sql} as value, sum(part) as human
    from (
      select ${columns}, class, count() as part
      from scans
      where ${owner}
        and toDate(time) >= toDate({dayFrom:Int32})
        and toDate(time) < toDate({dayUntil:Int32})
      group by ${columns}, class)
    where class = 'human'
    group by value`
}
