import { PostgresDialect, type Dialect, type PostgresPoolClient } from 'kysely'
import {
  DatabaseError,
  Pool,
  types,
  type ClientBase,
  type CustomTypesConfig,
  type PoolClient,
  type QueryResultRow,
} from 'pg'
import type { Log } from '../../log.ts'
import { CatalogueUnavailable, toPostgresError } from '../errors.ts'

/**
 * Connections and timeouts of a process. Redirects wait for a reader, so its timeouts are shorter.
 * A request that finds no replica goes to the server itself, so it does not wait for one.
 */
const settings = {
  writer: { connectionsMax: 8, connectTimeoutMs: 5_000, statementTimeoutMs: 10_000 },
  reader: { connectionsMax: 4, connectTimeoutMs: 3_000, statementTimeoutMs: 3_000 },
  replica: { connectionsMax: 8, connectTimeoutMs: 500, statementTimeoutMs: 10_000 },
} as const

/** All but a writer cannot write. */
export type PostgresRole = keyof typeof settings

/** Added to the server's own limit, so that only a hung server exceeds it. */
const answerGraceMs = 500
const lockTimeoutMs = 5_000
const idleInTransactionTimeoutMs = 15_000

export function openPostgresPool(
  url: string,
  options: { role: PostgresRole; log: Log; connectionsMax?: number | undefined },
): Pool {
  const { connectTimeoutMs, statementTimeoutMs, ...of } = settings[options.role]
  const { connectionsMax = of.connectionsMax } = options
  const pool = new Pool({
    connectionString: postgresUrl(url),
    application_name: `everscan ${options.role}`,
    max: connectionsMax,
    connectionTimeoutMillis: connectTimeoutMs,
    query_timeout: statementTimeoutMs + answerGraceMs,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    types: integersAsNumbers,
    // The declared type is void, but the pool awaits a promise, and drops the connection if it
    // rejects.
    onConnect: (client): unknown => beginSession(client, options.role),
  })
  // Without these two listeners, a connection that the server drops ends the process. The first is
  // for idle connections, the second for those in use between two queries.
  pool.on('error', (error) => options.log.warn({ err: error }, 'a connection to the catalogue was lost'))
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

/**
 * Connections that reach the server itself. Through a pooler, two transactions may run in two
 * sessions of the server.
 */
const directClients = new WeakSet<object>()

/**
 * Sets the limits of a session if no pooler is in between. A pooler gives every client a process
 * number of its own, so a connection is direct if its number is that of the server's process.
 * Through a pooler, the settings would apply to another client's next transaction. They end with
 * this statement then, and each transaction sets its own.
 */
async function beginSession(client: ClientBase, role: PostgresRole): Promise<void> {
  const limits = Object.entries(sessionLimits(role))
  const values = limits.map(([name, value]) => `set_config('${name}', '${value}', pg_backend_pid() <> $1)`)
  const { rows } = await client.query<{ direct: boolean }>(
    `/* db.beginSession */ select pg_backend_pid() = $1 as direct, ${values.join(', ')}`,
    // Drivers use this number to cancel a process; the types omit it.
    [(client as ClientBase & { processID: number | null }).processID ?? 0],
  )
  if (rows[0]?.direct === true) directClients.add(client)
}

function sessionLimits(role: PostgresRole): Readonly<Record<string, string>> {
  return {
    ...transactionLimits(role),
    ...(role !== 'writer' && { default_transaction_read_only: 'on' }),
  }
}

function transactionLimits(role: PostgresRole): Readonly<Record<string, string>> {
  return {
    statement_timeout: `${settings[role].statementTimeoutMs}ms`,
    lock_timeout: `${lockTimeoutMs}ms`,
    idle_in_transaction_session_timeout: `${idleInTransactionTimeoutMs}ms`,
  }
}

/** Returns one message, like `begin` alone. */
function beginWithLimits(role: PostgresRole): string {
  const limits = Object.entries(transactionLimits(role))
  return ['begin', ...limits.map(([name, value]) => `set local ${name} = '${value}'`)].join('; ')
}

/**
 * Runs a query that the server plans once per connection: a lookup of a code then takes 56 instead
 * of 306 µs (measured). Through a pooler, every call is planned, because the next transaction may
 * run in a session where the name is unknown or belongs to another query.
 */
export async function queryPlanned<Row extends QueryResultRow>(
  pool: Pool,
  { name, text, values }: { name: string; text: string; values: unknown[] },
): Promise<Row[]> {
  const client = await pool.connect()
  let broken = true
  try {
    const { rows } = await client.query<Row>({
      text,
      values,
      ...(directClients.has(client) && { name }),
    })
    broken = false
    return rows
  } finally {
    client.release(broken)
  }
}

/**
 * Rewrites an address for `pg`. It treats these modes of libpq as the strictest one and warns about
 * each in every process. The explicit name of that mode has the same effect without a warning.
 */
export function postgresUrl(url: string): string {
  if (/[?&]uselibpqcompat=/.test(url)) return url
  return url.replace(/([?&]sslmode=)(prefer|require|verify-ca)(?=&|$)/, '$1verify-full')
}

/**
 * Returns Kysely's PostgreSQL dialect, with errors converted by `toPostgresError`. Hung connections
 * are discarded.
 */
export function postgresDialect(pool: Pool, role: PostgresRole): Dialect {
  const connect = async () => {
    try {
      return guarded(await pool.connect(), role)
    } catch (error) {
      throw toPostgresError(error)
    }
  }
  return new PostgresDialect({ pool: { connect, end: () => pool.end(), options: pool.options } })
}

function guarded(client: PoolClient, role: PostgresRole): PostgresPoolClient {
  const begin = directClients.has(client) ? 'begin' : beginWithLimits(role)
  let broken = false
  const query = async (text: string, values: readonly unknown[]) => {
    // After a hang, the rollback would hang too.
    if (broken) throw new CatalogueUnavailable(new Error('the connection did not answer in time'))
    try {
      return await client.query(text === 'begin' ? begin : text, [...values])
    } catch (error) {
      broken = !(error instanceof DatabaseError)
      throw toPostgresError(error)
    }
  }
  const release = () => client.release(broken)
  return Object.assign(Object.create(client), { query, release })
}

/** Parses int8 (counts, times, cursors) as numbers: no value in the catalogue comes near 2^53. */
export const integersAsNumbers: CustomTypesConfig = {
  getTypeParser: (oid, format) => (oid === types.builtins.INT8 ? Number : types.getTypeParser(oid, format)),
}
