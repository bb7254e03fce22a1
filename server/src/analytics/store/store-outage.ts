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

/**
 * Work that is not done after this time may be waiting for a store that hangs. The store is queried
 * then, and again at this interval.
 */
const askAfterMs = 2_000

/**
 * Runs work that stops on a signal. Rejects at the deadline, even if the work does not stop.
 * Rejects earlier if the store is found not to answer, which distinguishes a store that hangs from
 * a slow query within seconds.
 */
export async function withDeadline<Result>(
  deadlineMs: number,
  work: (signal: AbortSignal) => Promise<Result>,
  isAnswering: () => Promise<boolean> = async () => true,
): Promise<Result> {
  const controller = new AbortController()
  let timer: NodeJS.Timeout | undefined
  let asking: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    const giveUp = (why: string): void => {
      reject(new Error(why))
      controller.abort()
    }
    timer = setTimeout(() => giveUp(`no answer within ${deadlineMs} ms`), deadlineMs)
    asking = setInterval(() => {
      void isAnswering().then((answers) => answers || giveUp('it hangs'))
    }, askAfterMs)
  })
  try {
    return await Promise.race([work(controller.signal), late])
  } finally {
    clearTimeout(timer)
    clearInterval(asking)
  }
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
