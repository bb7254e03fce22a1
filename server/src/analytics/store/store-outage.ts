import { ClickHouseError } from '@clickhouse/client'
import { storeUrls } from '../../settings/store-urls.ts'

/**
 * ClickHouse's error codes that say nothing about the query: the store is overloaded, stopping, not
 * set up yet, or may not be used. Errors that are not ClickHouse's own come from the connection and
 * count as well.
 */
const outageCodes = new Set([
  16, // no such column in a table: of an older schema, not migrated yet
  47, // unknown identifier: the same
  60, // unknown table: the same
  81, // unknown database: the same
  159, // timeout exceeded
  160, // too slow
  164, // readonly
  202, // too many simultaneous queries
  209, // socket timeout
  210, // network error
  236, // aborted
  241, // memory limit exceeded
  242, // table is read only
  243, // not enough space
  252, // too many parts
  285, // too few live replicas
  319, // unknown status of insert
  394, // query was cancelled
  439, // cannot schedule task
  497, // access denied
  516, // authentication failed
  999, // keeper exception
])

export function isOutage(error: unknown): boolean {
  if (error instanceof TypeError || error instanceof RangeError) return false
  return !(error instanceof ClickHouseError) || outageCodes.has(Number(error.code))
}

/** Returns the database that a ClickHouse URL names in its path, or `everscan` if it names none. */
export function databaseOf(url: string): string {
  const name = decodeURIComponent(new URL(storeUrls(url)[0] ?? url).pathname.replace(/^\/|\/$/g, ''))
  if (!/^\w*$/.test(name))
    throw new Error(
      `CLICKHOUSE_URL: the database must be letters, digits and underscores, got ${JSON.stringify(name)}`,
    )
  return name === '' ? 'everscan' : name
}
