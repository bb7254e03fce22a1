import { filterDimensions } from '@everscan/contract/dimensions/dimensions.ts'
import type { ScanFilters } from '@everscan/contract/resources/analytics.ts'
import { dimensionColumns } from './dimension-columns.ts'
import type { Params } from '../store/clickhouse.ts'

/**
 * Returns the conditions of filters. Values of one filter are alternatives, except those that begin
 * with `!`: the rest of such a value is excluded. `\!` at the beginning stands for `!` itself.
 */
export function filterSql(filters: ScanFilters): { sql: string; params: Params } {
  const conditions: string[] = []
  const params: Params = {}
  for (const name of filterDimensions) {
    const values: readonly string[] = filters[name] ?? []
    const excluded = values.filter((value) => value.startsWith('!')).map((value) => value.slice(1))
    const wanted = values.filter((value) => !value.startsWith('!')).map(unescaped)
    for (const [list, param, operator] of [
      [wanted, `filter_${name}`, 'in'],
      [excluded, `excluded_${name}`, 'not in'],
    ] as const) {
      if (list.length === 0) continue
      conditions.push(`and ${dimensionColumns[name].sql} ${operator} {${param}:Array(String)}`)
      params[param] = list
    }
  }
  return { sql: conditions.join('\n'), params }
}

function unescaped(value: string): string {
  return value.startsWith('\\!') ? value.slice(1) : value
}
