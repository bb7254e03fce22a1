import type { MatrixDimension } from '@everscan/contract/dimensions/dimensions.ts'
import { scanFilterNames, type ScanFilters } from '@everscan/contract/resources/analytics.ts'
import type { Params } from '../store/store.ts'

/**
 * SQL for the value of each dimension and filter, from columns of `scans`. Nothing else from a
 * request gets near the SQL. Scans store an unknown region as an empty text.
 */
export const dimensionColumns = {
  code: 'qr_code_id',
  country: 'country',
  region: `if(region = '', 'Unknown', toString(region))`,
  city: 'city',
  deviceType: 'device_type',
  os: 'os',
  browser: 'browser',
  referrer: 'referrer',
  rule: `if(rule = '', 'none', toString(rule))`,
  arm: 'arm',
} as const satisfies Record<MatrixDimension | keyof ScanFilters, string>

/**
 * Returns the conditions of filters. Values of one filter are alternatives, except those that begin
 * with `!`: the rest of such a value is excluded. `\!` at the beginning stands for `!` itself.
 */
export function filterSql(filters: ScanFilters): { sql: string; params: Params } {
  const conditions: string[] = []
  const params: Params = {}
  for (const name of scanFilterNames) {
    const values: readonly string[] = filters[name] ?? []
    const excluded = values.filter((value) => value.startsWith('!')).map((value) => value.slice(1))
    const wanted = values.filter((value) => !value.startsWith('!')).map(unescaped)
    for (const [list, param, operator] of [
      [wanted, `filter_${name}`, 'in'],
      [excluded, `excluded_${name}`, 'not in'],
    ] as const) {
      if (list.length === 0) continue
      conditions.push(`and ${dimensionColumns[name]} ${operator} {${param}:Array(String)}`)
      params[param] = list
    }
  }
  return { sql: conditions.join('\n'), params }
}

function unescaped(value: string): string {
  return value.startsWith('\\!') ? value.slice(1) : value
}
