import type { Dimension, ListedDimension } from '@everscan/contract/dimensions/dimensions.ts'
import { listedDimensions } from '@everscan/contract/dimensions/dimensions.ts'
import { dimensionColumns, rollups, type RollupColumn } from '../../figures/dimension-columns.ts'

/**
 * The column of files that has each dimension, and its value in SQL where files have an empty text
 * for an unknown value, or more than is shown.
 */
const columns: Readonly<Record<Dimension, { column: string; value?: string }>> = {
  code: { column: 'qr_code_id' },
  country: { column: 'country' },
  region: { column: 'region', value: `if(region = '', 'Unknown', region)` },
  city: { column: 'city' },
  deviceType: { column: 'device_type' },
  os: { column: 'os' },
  browser: { column: 'browser' },
  referrer: { column: 'referrer' },
  language: {
    column: 'language',
    value: `if(language = '', 'Unknown', split_part(language, '-', 1))`,
  },
  rule: { column: 'rule', value: `if(rule = '', 'none', rule)` },
  arm: { column: 'arm' },
}

/** Returns SQL for the value of a dimension. Nothing else from a request gets near the SQL. */
export function valueSql(name: Dimension): string {
  return columns[name].value ?? columns[name].column
}

/** Columns that scans are counted by together, and SQL for the value that `rolledValue` reads. */
export type FileRollup = { name: RollupColumn; columns: readonly string[]; value: string }

export const fileRollups: readonly FileRollup[] = rollups.flat().map((name) => {
  const dimensions = listedDimensions
    .filter((dimension) => dimensionColumns[dimension].part.column === name)
    .toSorted((one, other) => lineOf(one) - lineOf(other))
  return {
    name,
    columns: dimensions.map((dimension) => columns[dimension].column),
    value: dimensions.map(valueSql).join(` || chr(10) || `),
  }
})

function lineOf(dimension: ListedDimension): number {
  const part: { column: RollupColumn; line?: number } = dimensionColumns[dimension].part
  return part.line ?? 1
}
