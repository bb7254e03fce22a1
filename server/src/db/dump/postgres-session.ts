import { Kysely, PostgresDialect, type PostgresPoolClient } from 'kysely'
import { Client, DatabaseError, type QueryResult } from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import { FatalError } from '../../errors.ts'
import type { Database } from '../database.ts'
import { CatalogueUnavailable, toPostgresError } from '../errors.ts'
import { integersAsNumbers, openPostgresPool, postgresUrl } from '../dialects/postgres.ts'
import type { Tables } from '../tables.ts'
import type { CataloguePlace } from './catalogue-snapshot.ts'

const connectTimeoutMs = 5_000
/** Statements have no timeout here, so TCP probes detect a server that disappeared silently. */
const keepAliveDelayMs = 10_000

export type PostgresPlace = CataloguePlace & { databaseUrl: string }

/**
 * Runs `work` in one transaction, on a connection of its own and without timeouts. `db` and
 * `session` are that transaction. Uses only features of a transaction, so it works through a pooler
 * too.
 */
export async function inPostgresSession<Result>(
  { databaseUrl, log }: PostgresPlace,
  access: 'snapshot' | 'write',
  work: (db: Database, session: PostgresSession) => Promise<Result>,
): Promise<Result> {
  const client = new Client({
    connectionString: postgresUrl(databaseUrl),
    application_name: 'everscan copy',
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveDelayMs,
    types: integersAsNumbers,
  })
  // The next query reports a broken connection.
  client.on('error', () => {})
  const session = new PostgresSession(client, access)
  const kysely = new Kysely<Tables>({ dialect: session.dialect() })
  // Opens connections only if `work` requests further ones.
  const pool = openPostgresPool(databaseUrl, { role: access === 'write' ? 'writer' : 'reader', log })
  const source = { dialect: 'postgres', url: databaseUrl, pool } as const
  const transaction =
    access === 'write'
      ? kysely.transaction()
      : kysely.transaction().setIsolationLevel('repeatable read').setAccessMode('read only')
  try {
    await session.connect()
    return await transaction.execute(async (tx) => {
      await session.query(
        `select set_config(name, '0', true) from pg_settings
         where name in ('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout', 'transaction_timeout')`,
      )
      return work({ kysely: tx, dialect: 'postgres', source, log, close: async () => {} }, session)
    })
  } finally {
    await session.end()
    await pool.end()
  }
}

const nothing: QueryResult = { command: '', rowCount: 0, oid: 0, fields: [], rows: [] }

/** A connection for one operation at a time. Converts errors with `toPostgresError`. */
export class PostgresSession {
  readonly #client: Client
  readonly #access: 'snapshot' | 'write'
  #isCopying = false
  #isLost = false

  constructor(client: Client, access: 'snapshot' | 'write') {
    this.#client = client
    this.#access = access
  }

  async connect(): Promise<void> {
    try {
      await this.#client.connect()
    } catch (error) {
      throw toPostgresError(error)
    }
  }

  dialect(): PostgresDialect {
    const connection: PostgresPoolClient = Object.assign(Object.create(this.#client), {
      query: (text: string, values: readonly unknown[]) => this.#execute(text, values),
      release: () => undefined,
    })
    return new PostgresDialect({
      pool: { connect: async () => connection, end: async () => {}, options: {} },
    })
  }

  async query<Row>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    const { rows } = await this.#execute(text, values)
    return rows as Row[]
  }

  /** Passes the connection to steps that migrations share. */
  async withClient(work: (client: Client) => Promise<void>): Promise<void> {
    try {
      await work(this.#client)
    } catch (error) {
      throw error instanceof FatalError ? error : toPostgresError(error)
    }
  }

  /**
   * Yields the output of a `copy … to stdout` as it arrives. A consumer that stops early has
   * ended the connection.
   */
  async *copyOut(statement: string): AsyncGenerator<Buffer> {
    this.#refuseWhileBusy()
    this.#isCopying = true
    let isDone = false
    const stream = this.#client.query(copyTo(statement))
    // After the consumer stops, the end of the connection is still an error of the stream.
    stream.on('error', () => {})
    try {
      for await (const piece of stream) yield piece as Buffer
      isDone = true
    } catch (error) {
      throw toPostgresError(error)
    } finally {
      this.#isCopying = false
      if (!isDone) await this.end()
    }
  }

  /** Sends all bytes to a `copy … from stdin`. */
  async copyIn(statement: string, bytes: Buffer): Promise<void> {
    this.#refuseWhileBusy()
    const stream = this.#client.query(copyFrom(statement))
    try {
      await new Promise<void>((resolve, reject) => {
        stream.on('error', (error) => {
          // Destroyed immediately: after the server rejects it, the stream can be neither written
          // nor ended.
          stream.destroy()
          reject(error)
        })
        stream.on('finish', resolve)
        stream.end(bytes)
      })
    } catch (error) {
      throw toPostgresError(error)
    }
  }

  async end(): Promise<void> {
    this.#isLost = true
    await this.#client.end().catch(() => undefined)
  }

  async #execute(text: string, values: readonly unknown[]): Promise<QueryResult> {
    // A transaction ends with its connection. Only a writer must learn that its commit failed.
    const isEnd = text === 'rollback' || (text === 'commit' && this.#access === 'snapshot')
    if (isEnd && this.#isLost) return { ...nothing, command: text }
    this.#refuseWhileBusy()
    try {
      return await this.#client.query<Record<string, unknown>>(text, [...values])
    } catch (error) {
      this.#isLost ||= !(error instanceof DatabaseError)
      if (text === 'rollback' && this.#isLost) return { ...nothing, command: text }
      throw toPostgresError(error)
    }
  }

  #refuseWhileBusy(): void {
    if (this.#isCopying) throw new TypeError('first read the rows of the table to their end')
    if (this.#isLost) throw new CatalogueUnavailable(new Error('the connection was lost'))
  }
}
