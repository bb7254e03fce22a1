import { filterDimensions, type FilterDimension } from '@everscan/contract/dimensions/dimensions.ts'
import type { ScanFilters } from '@everscan/contract/resources/analytics.ts'
import { dimensionColumns } from './dimension-columns.ts'
import type { Params } from '../store/clickhouse.ts'

/** The values of a dimension that scans must have, or must not have. */
export type FilterList = { name: FilterDimension; isExcluded: boolean; values: readonly string[] }

/**
 * Returns the lists of filters, none of them empty. Values of one filter are alternatives, except
 * those that begin with `!`: the rest of such a value is excluded. `\!` at the beginning stands for
 * `!` itself.
 */
export function filterLists(filters: ScanFilters): FilterList[] {
  return filterDimensions.flatMap((name): FilterList[] => {
    const values: readonly string[] = filters[name] ?? []
    const excluded = values.filter((value) => value.startsWith('!')).map((value) => value.slice(1))
    const wanted = values.filter((value) => !value.startsWith('!')).map(unescaped)
    return [
      { name, isExcluded: false, values: wanted },
      { name, isExcluded: true, values: excluded },
    ].filter((list) => list.values.length > 0)
  })
}

/** Returns the name of a list among the parameters of a statement. */
export function filterParam({ name, isExcluded }: FilterList): string {
  return `${isExcluded ? 'excluded' : 'filter'}_${name}`
}

/** Returns the conditions of filters. */
export function filterSql(filters: ScanFilters): { sql: string; params: Params } {
  const lists = filterLists(filters)
  const conditions = lists.map((list) => {
    const operator = list.isExcluded ? 'not in' : 'in'
    return `and ${dimensionColumns[list.name].sql} ${operator} {${filterParam(list)}:Array(String)}`
  })
  return {
    sql: conditions.join('\n'),
    params: Object.fromEntries(lists.map((list) => [filterParam(list), list.values])),
  }
}

function unescaped(value: string): string {
  return value.startsWith('\\!') ? value.slice(1) : value
}
