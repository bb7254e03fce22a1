import { Readable } from 'node:stream'
import { ClickHouseError, type ClickHouseClient, type ClickHouseSettings } from '@clickhouse/client'
import { ScanStoreUnavailable } from '../scan-store.ts'
import { connect, type StoreAddress } from './store-connection.ts'
import { deadlineMsDefault, withDeadline } from './deadline.ts'
import { databaseOf, isOutage } from './store-outage.ts'

export type ClickHouseOptions = StoreAddress & {
  /** Time limit of a call that sets none, in milliseconds. Default: 20,000. */
  deadlineMs?: number
}

export type CallOptions = {
  deadlineMs?: number
  /** The store runs one query per id at a time. */
  queryId?: string
  /**
   * For a command with a long deadline: it fails within seconds if the store stops answering.
   */
  failsIfHung?: true
  settings?: ClickHouseSettings
}

export type InsertOptions = CallOptions & { format?: 'TabSeparated' | 'Native' }

/** Values of the `{name:Type}` placeholders of a statement. */
export type Params = Record<string, string | number | bigint | null | readonly string[]>

/**
 * A connection to ClickHouse: a server, or chDB. Every call has a
 * deadline, at which the store also abandons the query. A call without an answer rejects with
 * `ScanStoreUnavailable`.
 */
export type ClickHouse = {
  readonly database: string
  /** Returns the rows of a query. 64-bit numbers become numbers, so sums must stay below 2^53. */
  select<Row>(sql: string, params?: Params, options?: CallOptions): Promise<Row[]>
  /**
   * Returns the whole result of a query, in the format that the query names and in the chunks that
   * arrived. The caller keeps it small.
   */
  bytes(sql: string, params?: Params, options?: CallOptions): Promise<Buffer[]>
  /** Runs a statement without rows. */
  command(sql: string, params?: Params, options?: CallOptions): Promise<void>
  /**
   * Inserts rows into the columns of a table. The rows are tab-separated text, or in the given
   * format, in any pieces.
   */
  insert(
    table: string,
    columns: readonly string[],
    rows: readonly Buffer[],
    options?: InsertOptions,
  ): Promise<void>
  /** Creates the database if it is missing. */
  createDatabase(): Promise<void>
  /** The servers of a replicated store; undefined if the store is one server. */
  replicas(): Promise<StoreReplicas | undefined>
  /**
   * Runs work on a server that has all rows that were stored before the call, and stays with it. A
   * store of one server only runs the work. Throws ScanStoreUnavailable if the server lags.
   */
  caughtUp<Result>(work: () => Promise<Result>): Promise<Result>
  /** Whether the store answers a query within 2 s. */
  ping(): Promise<boolean>
  close(): Promise<void>
}

/** The servers of a replicated store. Calls of one of them go to no other server. */
export type StoreReplicas = {
  /** The server that takes the calls of the store. */
  pinned: ClickHouse
  all: readonly ClickHouse[]
  /** More than half of the replicas of the store, whether or not they answer. */
  majority: number
  /** Whether one machine takes all calls of a server: not in ClickHouse Cloud. */
  isPinned: boolean
  /** Waits until a server has all rows that were stored on any server before the call. */
  catchUp: (server: ClickHouse) => Promise<void>
}

const pingMs = 2_000

/** One server. It opens nothing yet: the first call creates connections, which are kept. */
export class ClickHouseServer implements ClickHouse {
  readonly database: string
  readonly #client: ClickHouseClient
  /**
   * A client of `system`, a database on every server. The client that creates the database cannot
   * be inside it.
   */
  readonly #outside: ClickHouseClient
  readonly #deadlineMs: number

  constructor(options: ClickHouseOptions) {
    this.database = 'url' in options ? databaseOf(options.url) : 'everscan'
    this.#client = connect(options, this.database)
    this.#outside = connect(options, 'system')
    this.#deadlineMs = options.deadlineMs ?? deadlineMsDefault
  }

  select<Row>(sql: string, params: Params = {}, options: CallOptions = {}): Promise<Row[]> {
    const work = async (given: ClientCall): Promise<Row[]> => {
      const query = { query: sql, format: 'JSONEachRow' as const, ...given, ...binding(params) }
      return await (await this.#client.query(query)).json<Row>()
    }
    return this.#call(work, options, this.#isAnswering)
  }

  bytes(sql: string, params: Params = {}, options: CallOptions = {}): Promise<Buffer[]> {
    const work = async (given: ClientCall): Promise<Buffer[]> => {
      const { stream } = await this.#client.exec({ query: sql, ...given, ...binding(params) })
      return await stream.toArray()
    }
    return this.#call(work, options, this.#isAnswering)
  }

  command(sql: string, params: Params = {}, options: CallOptions = {}): Promise<void> {
    const work = async (given: ClientCall): Promise<void> => {
      await this.#client.command({ query: sql, ...given, ...binding(params) })
    }
    return this.#call(work, options, options.failsIfHung && this.#isAnswering)
  }

  insert(
    table: string,
    columns: readonly string[],
    rows: readonly Buffer[],
    { format = 'TabSeparated', ...options }: InsertOptions = {},
  ): Promise<void> {
    return this.#call(async (given) => {
      const { stream } = await this.#client.exec({
        query: `insert into ${table} (${columns.join(', ')}) format ${format}`,
        values: Readable.from(rows, { objectMode: false }),
        ...given,
      })
      await stream.toArray()
    }, options)
  }

  /** Creates the database on this server, or on every server of a cluster. */
  createDatabase(onCluster?: string): Promise<void> {
    const query_params = { database: this.database }
    return this.#call(async (given) => {
      // A look-up comes first: a server may refuse `create database` to an account that already has
      // one.
      const found = await this.#outside.query({
        query: 'select 1 as found from system.databases where name = {database:String}',
        format: 'JSONEachRow',
        ...given,
        query_params,
      })
      if ((await found.json()).length > 0) return
      await this.#outside.command({
        query:
          onCluster === undefined
            ? 'create database if not exists {database:Identifier}'
            : 'create database if not exists {database:Identifier} on cluster {onCluster:Identifier}',
        ...given,
        query_params: { ...query_params, ...(onCluster !== undefined && { onCluster }) },
      })
    }, {})
  }

  /** Returns the rows of a query that needs no database. */
  selectOutside<Row>(sql: string, params: Params = {}): Promise<Row[]> {
    const work = async (given: ClientCall): Promise<Row[]> => {
      const query = { query: sql, format: 'JSONEachRow' as const, ...given, ...binding(params) }
      return await (await this.#outside.query(query)).json<Row>()
    }
    return this.#call(work, {}, this.#isAnswering)
  }

  async replicas(): Promise<undefined> {}

  caughtUp<Result>(work: () => Promise<Result>): Promise<Result> {
    return work()
  }

  ping(): Promise<boolean> {
    return this.select('select 1', {}, { deadlineMs: pingMs }).then(
      () => true,
      () => false,
    )
  }

  async close(): Promise<void> {
    await Promise.all([this.#client.close(), this.#outside.close()])
  }

  #call<Result>(
    work: (given: ClientCall) => Promise<Result>,
    { deadlineMs = this.#deadlineMs, settings, queryId }: CallOptions,
    isAnswering?: () => Promise<boolean>,
  ): Promise<Result> {
    const given = {
      clickhouse_settings: { max_execution_time: Math.max(1, Math.ceil(deadlineMs / 1000)), ...settings },
      ...(queryId !== undefined && { query_id: queryId }),
    }
    const done = withDeadline(deadlineMs, (signal) => work({ abort_signal: signal, ...given }), isAnswering)
    return done.catch((error: unknown) => {
      throw isOutage(error) ? new ScanStoreUnavailable(error) : error
    })
  }

  /**
   * Pings on separate connections and a path that queries do not block: only a hanging store fails.
   */
  readonly #isAnswering = async (): Promise<boolean> =>
    (await this.#outside.ping({ select: false, abort_signal: AbortSignal.timeout(pingMs) })).success
}

type ClientCall = { abort_signal: AbortSignal; clickhouse_settings: ClickHouseSettings; query_id?: string }

/** Sends parameters that would not fit a URL as a form. */
function binding(params: Params) {
  const values = Object.values(params)
  if (values.length === 0) return {}
  const chars = values.reduce<number>((sum, value) => sum + String(value).length, 0)
  return { query_params: params, ...(chars > 4000 && { use_multipart_params: true }) }
}

/** Whether an error came from ClickHouse with this code. */
export function hasCode(error: unknown, code: number): boolean {
  return error instanceof ClickHouseError && error.code === String(code)
}
