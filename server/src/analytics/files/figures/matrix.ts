import type { MatrixDimension } from '@everscan/contract/dimensions/dimensions.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import { noPosition, positionsMax } from '../../figures/matrix-cells.ts'
import type { MatrixSides } from '../../scan-store.ts'
import type { Select } from '../parquet/select.ts'
import { valueSql } from './file-columns.ts'
import { conditionOf, type FileScope, type FileSql } from './file-scope.ts'
import { relationOf, type ListedScans } from './listed-scans.ts'

/** See `matrixSides` of `ScanStore`. */
export async function matrixSides(
  select: Select,
  listed: ListedScans,
  { scope, dimensions }: { scope: FileScope; dimensions: readonly [MatrixDimension, MatrixDimension] },
): Promise<MatrixSides> {
  const { sql, params } = conditionOf(scope)
  const [row, column] = dimensions
  const rows = await select<{ side: 0 | 1; value: string }>(
    `/* analytics.matrixSides */
     select side, value
     from (
       select grouping(row_value) as side, coalesce(row_value, column_value) as value, count(*) as scans
       from (
         select ${valueSql(row)} as row_value, ${valueSql(column)} as column_value
         from ${relationOf(listed, scope)}
         where ${sql} and class = 'human')
       group by grouping sets ((row_value), (column_value)))
     qualify row_number() over (partition by side order by scans desc, value) <= ${limits.matrixSideMax}
     order by side, scans desc, value`,
    params,
  )
  const valuesOf = (wanted: number) => rows.filter(({ side }) => side === wanted).map(({ value }) => value)
  return { dimensions, rows: valuesOf(0), columns: valuesOf(1) }
}

/** Counts the cells of a matrix, as `matrixOf` reads them. */
export function matrixCellsSql(
  relation: string,
  scope: FileScope,
  { dimensions, rows, columns }: MatrixSides,
): FileSql {
  const { sql, params } = conditionOf(scope)
  const [row, column] = dimensions.map(valueSql)
  return {
    sql: `
      select
        'matrix' as dimension,
        (${position('row_value', 'matrixRows')} * ${positionsMax} + ${position('column_value', 'matrixColumns')})::varchar as value,
        scans, 0 as "uniqueScans", 0 as "botScans"
      from (
        select row_value, column_value, count(*) as scans
        from (
          select ${row} as row_value, ${column} as column_value
          from ${relation}
          where ${sql} and class = 'human')
        where row_value in (select unnest($matrixRows)) and column_value in (select unnest($matrixColumns))
        group by row_value, column_value)`,
    params: { ...params, matrixRows: rows, matrixColumns: columns },
  }
}

function position(value: string, list: string): string {
  return `coalesce(list_position($${list}, ${value}) - 1, ${noPosition})`
}
