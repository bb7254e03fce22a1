import { Agent } from 'node:http'
import { Readable } from 'node:stream'
import {
  ClickHouseError,
  ClickHouseLogLevel,
  createClient,
  type ClickHouseClient,
  type ClickHouseSettings,
} from '@clickhouse/client'
import { errorMessage } from '../../errors.ts'
import { databaseOf, isOutage, withDeadline } from './store-outage.ts'

/** The scan store did not answer, or not in time. Scans are safe in the journal; the same call may succeed later. */
export class ScanStoreUnavailable extends Error {
  constructor(cause: unknown) {
    super(`the scan store is not available: ${errorMessage(cause).split('\n')[0]}`, { cause })
    this.name = 'ScanStoreUnavailable'
  }
}

export type ScanStoreOptions = (
  | { /** `http://user:password@host:8123/database` */ url: string }
  | { /** The embedded engine's socket. */ socketPath: string }
) & { /** How long one call may take unless it says otherwise; 20,000. */ deadlineMs?: number }

export type CallOptions = {
  deadlineMs?: number
  /** The store runs one query under an id at a time. */
  queryId?: string
  settings?: ClickHouseSettings
}

export type InsertOptions = CallOptions & { format?: 'TabSeparated' | 'Native' }

/** Values of the `{name:Type}` places of a statement. */
export type Params = Record<string, string | number | bigint | null | readonly string[]>

/**
 * A connection to the scan store, the embedded engine or a ClickHouse server alike. Every call has a deadline, at which
 * the store gives the query up too, and rejects with `ScanStoreUnavailable` when there was no answer.
 */
export type ScanStore = {
  readonly database: string
  /** The rows of a query. 64-bit numbers come as numbers, so sums stay under 2^53. */
  select<Row>(sql: string, params?: Params, options?: CallOptions): Promise<Row[]>
  /** What a query answers in the format it names itself: all of it, in the chunks in which it came. The caller keeps it small. */
  bytes(sql: string, params?: Params, options?: CallOptions): Promise<Buffer[]>
  /** A statement without rows. */
  command(sql: string, params?: Params, options?: CallOptions): Promise<void>
  /** Rows as tab-separated text, or in the format that is given, in any pieces, into the columns of a table. */
  insert(
    table: string,
    columns: readonly string[],
    rows: readonly Buffer[],
    options?: InsertOptions,
  ): Promise<void>
  /** Makes the database when it is missing. */
  createDatabase(): Promise<void>
  /** Whether the store answers a query now, within 2 s. */
  ping(): Promise<boolean>
  close(): Promise<void>
}

const deadlineMsDefault = 20_000
const pingMs = 2_000

/** Opens nothing yet: connections are made by the first call and kept. */
export function openScanStore(options: ScanStoreOptions): ScanStore {
  const database = 'url' in options ? databaseOf(options.url) : 'everscan'
  // `system` is there on every server: the client that makes the database cannot be inside it.
  const [client, outside] = [database, 'system'].map((name) => connect(options, name))
  if (client === undefined || outside === undefined) throw new Error('unreachable')

  function call<Result>(
    work: (given: ClientCall) => Promise<Result>,
    callOptions: CallOptions,
    isAnswering?: () => Promise<boolean>,
  ): Promise<Result> {
    const deadlineMs = callOptions.deadlineMs ?? options.deadlineMs ?? deadlineMsDefault
    const settings: ClickHouseSettings = {
      max_execution_time: Math.max(1, Math.ceil(deadlineMs / 1000)),
      ...callOptions.settings,
    }
    const given = {
      clickhouse_settings: settings,
      ...(callOptions.queryId !== undefined && { query_id: callOptions.queryId }),
    }
    const done = withDeadline(deadlineMs, (signal) => work({ abort_signal: signal, ...given }), isAnswering)
    return done.catch((error: unknown) => {
      throw isOutage(error) ? new ScanStoreUnavailable(error) : error
    })
  }

  // Its own connections, and a path that no query is in the way of: only a store that hangs does not answer this.
  const isAnswering = async (): Promise<boolean> =>
    (await outside.ping({ select: false, abort_signal: AbortSignal.timeout(pingMs) })).success

  const store: ScanStore = {
    database,
    select: <Row>(sql: string, params: Params = {}, callOptions: CallOptions = {}) => {
      const work = async (given: ClientCall): Promise<Row[]> => {
        const rows = await client.query({ query: sql, format: 'JSONEachRow', ...given, ...binding(params) })
        return await rows.json<Row>()
      }
      return call(work, callOptions, isAnswering)
    },
    bytes: (sql, params = {}, callOptions = {}) =>
      call(
        async (given) => {
          const { stream } = await client.exec({ query: sql, ...given, ...binding(params) })
          return await stream.toArray()
        },
        callOptions,
        isAnswering,
      ),
    command: (sql, params = {}, callOptions = {}) =>
      call(async (given) => {
        await client.command({ query: sql, ...given, ...binding(params) })
      }, callOptions),
    insert: (table, columns, rows, { format = 'TabSeparated', ...callOptions } = {}) =>
      call(async (given) => {
        const { stream } = await client.exec({
          query: `insert into ${table} (${columns.join(', ')}) format ${format}`,
          values: Readable.from(rows, { objectMode: false }),
          ...given,
        })
        await stream.toArray()
      }, callOptions),
    createDatabase: () =>
      call(async (given) => {
        // Asked first: a server may refuse `create database` to whom it gave one that is there.
        const found = await outside.query({
          query: 'select 1 as found from system.databases where name = {database:String}',
          format: 'JSONEachRow',
          ...given,
          query_params: { database },
        })
        if ((await found.json()).length > 0) return
        await outside.command({
          query: 'create database if not exists {database:Identifier}',
          ...given,
          query_params: { database },
        })
      }, {}),
    async ping() {
      return await store.select('select 1', {}, { deadlineMs: pingMs }).then(
        () => true,
        () => false,
      )
    },
    async close() {
      await Promise.all([client.close(), outside.close()])
    },
  }
  return store
}

type ClientCall = { abort_signal: AbortSignal; clickhouse_settings: ClickHouseSettings; query_id?: string }

function connect(options: ScanStoreOptions, database: string): ClickHouseClient {
  const shared = {
    // What goes wrong is thrown; its line in the log is the caller's.
    log: { level: ClickHouseLogLevel.OFF },
    // A call's own deadline comes first. This one only lets go of sockets.
    request_timeout: 10 * 60_000,
    clickhouse_settings: { output_format_json_quote_64bit_integers: 0 } satisfies ClickHouseSettings,
  }
  if ('url' in options) {
    const url = new URL(options.url)
    const [username, password] = [url.username, url.password].map(decodeURIComponent)
    const account = username ? { username, password: password ?? '' } : {}
    return createClient({
      ...shared,
      ...account,
      url: `${url.protocol}//${url.host}`,
      database,
      max_open_connections: 8,
    })
  }
  // Node's agent hands `socketPath` on to `net.connect`; its type does not say so.
  const agent: AgentOptions = { keepAlive: true, maxSockets: 8, socketPath: options.socketPath }
  return createClient({ ...shared, url: 'http://engine', http_agent: new Agent(agent), database })
}

type AgentOptions = ConstructorParameters<typeof Agent>[0] & { socketPath: string }

/** Parameters that would not fit a URL go as a form. */
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
