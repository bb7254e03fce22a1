import { PostgresDialect, type Dialect, type PostgresPoolClient } from 'kysely'
import { DatabaseError, Pool, types, type CustomTypesConfig, type PoolClient } from 'pg'
import type { Log } from '../log.ts'
import { CatalogueUnavailable, toPostgresError } from './errors.ts'

/** Connections and waits of a process. A reader stands behind redirects: it gives up sooner. */
const settings = {
  writer: { connectionsMax: 8, connectTimeoutMs: 5_000, statementTimeoutMs: 10_000 },
  reader: { connectionsMax: 4, connectTimeoutMs: 3_000, statementTimeoutMs: 3_000 },
} as const

/** After the server's own limit: only a server that hangs is met by this one. */
const answerGraceMs = 500
const lockTimeoutMs = 5_000
const idleInTransactionTimeoutMs = 15_000

export function openPostgresPool(url: string, options: { role: 'writer' | 'reader'; log: Log }): Pool {
  const { connectionsMax, connectTimeoutMs, statementTimeoutMs } = settings[options.role]
  const pool = new Pool({
    connectionString: url,
    application_name: `everscan ${options.role}`,
    max: connectionsMax,
    connectionTimeoutMillis: connectTimeoutMs,
    statement_timeout: statementTimeoutMs,
    query_timeout: statementTimeoutMs + answerGraceMs,
    lock_timeout: lockTimeoutMs,
    idle_in_transaction_session_timeout: idleInTransactionTimeoutMs,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    types: integersAsNumbers,
    ...(options.role === 'reader' && { options: '-c default_transaction_read_only=on' }),
  })
  // Without these two listeners a connection that the server drops ends the process: the first is for idle ones,
  // the second for those in use between two queries.
  pool.on('error', (error) => options.log.warn({ err: error }, 'a connection to the catalogue was lost'))
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

/** Kysely's PostgreSQL dialect with errors as `toPostgresError` gives them, and hung connections thrown away. */
export function postgresDialect(pool: Pool): Dialect {
  const connect = async () => {
    try {
      return guarded(await pool.connect())
    } catch (error) {
      throw toPostgresError(error)
    }
  }
  return new PostgresDialect({ pool: { connect, end: () => pool.end(), options: pool.options } })
}

function guarded(client: PoolClient): PostgresPoolClient {
  let broken = false
  const query = async (text: string, values: readonly unknown[]) => {
    // The rollback after a hang would hang as well.
    if (broken) throw new CatalogueUnavailable(new Error('the connection did not answer in time'))
    try {
      return await client.query(text, [...values])
    } catch (error) {
      broken = !(error instanceof DatabaseError)
      throw toPostgresError(error)
    }
  }
  const release = () => client.release(broken)
  return Object.assign(Object.create(client), { query, release })
}

/** int8 (counts, times, cursors) as numbers: none of ours comes near 2^53. */
const integersAsNumbers: CustomTypesConfig = {
  getTypeParser: (oid, format) => (oid === types.builtins.INT8 ? Number : types.getTypeParser(oid, format)),
}
