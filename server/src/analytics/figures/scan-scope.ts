import type { ScanFilters } from '@everscan/contract/resources/analytics.ts'
import type { Period } from './period.ts'
import type { Params } from '../store/store.ts'

/** Whose scans, when, and which of them. */
export type ScanScope = Period & {
  organizationId: string
  /** One code; absent: all that the organization has or had. */
  qrCodeId?: string
  /** Several values of one filter are alternatives; several filters must all hold. Absent or empty: no filter. */
  filters: ScanFilters
}

/** What scans can be filtered by, and the column of each: nothing else of a request gets near the SQL. */
const filterColumns = {
  country: 'country',
  city: 'city',
  deviceType: 'device_type',
  os: 'os',
  browser: 'browser',
  referrer: 'referrer',
} as const satisfies Record<keyof ScanFilters, string>

/** A scope as conditions, which hold with `params`. */
export type ScopeSql = {
  /** Of `scans` and of `first_scans`: whose. */
  owner: string
  /** Of `scans`: whose, when, and which. */
  scans: string
  /** Of `first_scans`: whose and when. */
  firstScans: string
  isFiltered: boolean
  params: Params
}

/**
 * Rows of a code are found by the key of the tables, which its id is in. What reads them in that order, as lists do, has to compare the id of each; what only counts
 * them compares a number in its place: half the time (ADR 0028).
 */
export function scopeSql(
  { organizationId, qrCodeId, startMs, endMs, filters }: ScanScope,
  { inOrder = false }: { inOrder?: boolean } = {},
): ScopeSql {
  const filter = filterSql(filters)
  const key = `organization_id = {organizationId:String} ${qrCodeId === undefined ? '' : 'and qr_code_id = {qrCodeId:String}'}`
  const owner =
    qrCodeId === undefined || inOrder
      ? key
      : `indexHint(${key}) and code_hash = cityHash64({organizationId:String}, {qrCodeId:String})`
  const time = `
      and time >= fromUnixTimestamp64Milli({startMs:Int64})
      and time < fromUnixTimestamp64Milli({endMs:Int64})`
  return {
    owner,
    scans: `${owner} ${time} ${filter.sql}`,
    firstScans: `${owner} ${time}`,
    isFiltered: filter.sql !== '',
    params: {
      organizationId,
      ...(qrCodeId !== undefined && { qrCodeId }),
      startMs,
      endMs,
      ...filter.params,
    },
  }
}

function filterSql(filters: ScanFilters): { sql: string; params: Params } {
  const conditions: string[] = []
  const params: Params = {}
  for (const [name, column] of Object.entries(filterColumns)) {
    const values = filters[name as keyof typeof filterColumns]
    if (values === undefined || values.length === 0) continue
    conditions.push(`and ${column} in {filter_${name}:Array(String)}`)
    params[`filter_${name}`] = values
  }
  return { sql: conditions.join('\n'), params }
}
