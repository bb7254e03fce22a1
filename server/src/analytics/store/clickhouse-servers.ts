import { errorMessage, FatalError } from '../../errors.ts'
import { replicatedStatement, schemaSettings } from './replicated-statements.ts'
import { ServerPin } from './server-pin.ts'
import { ScanStoreUnavailable } from '../scan-store.ts'
import {
  hasCode,
  type CallOptions,
  type ClickHouseServer,
  type InsertOptions,
  type Params,
  type ClickHouse,
  type StoreReplicas,
} from './clickhouse.ts'
import {
  clustersSql,
  databaseSql,
  macrosSql,
  majorityOf,
  topologyOf,
  type ServerCluster,
  type StoreTopology,
} from './topology.ts'

/** How often a store that has moved on looks whether an earlier server is back. */
const returnMs = 30_000
/** Longer than replicas that work need to fetch what others have. */
const catchUpMs = 30_000
/** Shorter than the deadline of an insert, so that the server says what it is waiting for. */
const quorumMs = 45_000
/** The server has lost Keeper, so its tables are only read. */
const isReadOnly = 242

/**
 * ClickHouse servers that say how they are made (`topology.ts`). All calls go to
 * the first server. If it does not answer, the call fails, and the next server takes later ones
 * until the first is back and has caught up.
 */
export class ClickHouseServers implements ClickHouse {
  readonly database: string
  readonly #servers: readonly ClickHouseServer[]
  readonly #pin: ServerPin
  #topology: Promise<StoreTopology> | undefined
  #views: readonly ClickHouse[] = []
  #returnAtMs = 0

  constructor(servers: readonly ClickHouseServer[], topology?: StoreTopology) {
    this.#servers = servers
    this.#pin = new ServerPin(servers.length)
    this.database = servers[0]?.database ?? ''
    if (topology !== undefined) this.#topology = Promise.resolve(topology)
  }

  async select<Row>(sql: string, params?: Params, options?: CallOptions): Promise<Row[]> {
    return await (await this.#pinned()).select<Row>(sql, params, options)
  }

  async bytes(sql: string, params?: Params, options?: CallOptions): Promise<Buffer[]> {
    return await (await this.#pinned()).bytes(sql, params, options)
  }

  async command(sql: string, params?: Params, options?: CallOptions): Promise<void> {
    await (await this.#pinned()).command(sql, params, options)
  }

  async insert(
    table: string,
    columns: readonly string[],
    rows: readonly Buffer[],
    options?: InsertOptions,
  ): Promise<void> {
    await (await this.#pinned()).insert(table, columns, rows, options)
  }

  /** Also throws the `FatalError` of a store that cannot be used. Other calls are unavailable. */
  async createDatabase(): Promise<void> {
    await this.topology()
    await (await this.#pinned()).createDatabase()
  }

  async replicas(): Promise<StoreReplicas | undefined> {
    const pinned = await this.#pinned()
    const topology = await this.topology()
    if (topology.kind === 'single') return undefined
    return {
      pinned,
      all: this.#views,
      majority: topology.kind === 'replicated' ? majorityOf(topology.replicas) : 1,
      isPinned: topology.kind === 'replicated',
      catchUp: async (server) => {
        if (topology.kind === 'replicated') await catchUp(server)
      },
    }
  }

  async caughtUp<Result>(work: () => Promise<Result>): Promise<Result> {
    const replicas = await this.replicas()
    if (replicas === undefined) return await work()
    const { index } = this.#pin
    // Outside of the hold, so that a server that is gone does not stay pinned.
    await replicas.catchUp(replicas.pinned)
    return await this.#pin.hold(async () => {
      if (this.#pin.index !== index || this.#views[index] !== replicas.pinned)
        throw new ScanStoreUnavailable(new Error('another server has just taken over'))
      return await work()
    })
  }

  async ping(): Promise<boolean> {
    const server = this.#servers[this.#pin.index]
    if (server !== undefined && (await server.ping())) return true
    this.#pin.failed(this.#pin.index)
    return this.#servers.length > 1 && (await this.#servers[this.#pin.index]?.ping()) === true
  }

  async close(): Promise<void> {
    await Promise.all(this.#servers.map((server) => server.close()))
  }

  /** Returns how the store is made. Throws a `FatalError` if Everscan cannot keep scans there. */
  topology(): Promise<StoreTopology> {
    this.#topology ??= this.#readTopology().catch((error: unknown) => {
      this.#topology = undefined
      throw error
    })
    return this.#topology
  }

  async #pinned(): Promise<ClickHouse> {
    const topology = await this.topology().catch((error: unknown) => {
      throw error instanceof FatalError ? new ScanStoreUnavailable(error) : error
    })
    if (this.#views.length === 0)
      this.#views = this.#servers.map((server, index) =>
        topology.kind === 'single' && this.#servers.length === 1
          ? server
          : this.#watched(index, viewOf(server, topology)),
      )
    if (this.#pin.index > 0 && performance.now() > this.#returnAtMs) {
      this.#returnAtMs = performance.now() + returnMs
      void this.#return(topology)
    }
    const view = this.#views[this.#pin.index]
    if (view === undefined) throw new FatalError('CLICKHOUSE_URL names no server')
    return view
  }

  /** Goes back to the first server that answers and has caught up. */
  async #return(topology: StoreTopology): Promise<void> {
    for (let index = 0; index < this.#pin.index; index++) {
      const [server, view] = [this.#servers[index], this.#views[index]]
      if (server === undefined || view === undefined || !(await server.ping())) continue
      const isBack =
        topology.kind !== 'replicated' ||
        (await catchUp(view).then(
          () => true,
          () => false,
        ))
      if (isBack) return this.#pin.returnTo(index)
    }
  }

  async #readTopology(): Promise<StoreTopology> {
    const answers = await Promise.allSettled(
      this.#servers.map(async (server, index) => {
        const [row] = await server.selectOutside<{ id: string }>(
          `/* analytics.readTopology */ select toString(serverUUID()) as id`,
        )
        return { index, server, id: row?.id ?? '' }
      }),
    )
    const answering = answers.filter((answer) => answer.status === 'fulfilled').map(({ value }) => value)
    const [first] = answering
    if (first === undefined) throw answers.find((answer) => answer.status === 'rejected')?.reason
    for (let index = 0; index < first.index; index++) this.#pin.failed(index)
    if (new Set(answering.map(({ id }) => id)).size < answering.length)
      throw new FatalError(
        'CLICKHOUSE_URL: two of its hosts are the same server, or a proxy in front of several: name each server by an address of its own',
      )
    const { server } = first
    const database = { database: this.database }
    const [facts] = await server.selectOutside<{
      databaseEngine: string | null
      scansEngine: string | null
      isCloud: number
      hasKeeper: number
    }>(databaseSql, database)
    const macros = await server.selectOutside<{ macro: string; substitution: string }>(macrosSql)
    const clusters = await server.selectOutside<ServerCluster>(clustersSql)
    return topologyOf(
      {
        ...database,
        databaseEngine: facts?.databaseEngine ?? '',
        scansEngine: facts?.scansEngine ?? '',
        isCloud: facts?.isCloud === 1,
        hasKeeper: facts?.hasKeeper === 1,
        macros: Object.fromEntries(macros.map(({ macro, substitution }) => [macro, substitution])),
        clusters,
      },
      this.#servers.length,
    )
  }

  /** A view whose failures move the pin. */
  #watched(index: number, view: ClickHouse): ClickHouse {
    const watch = async <Result>(call: Promise<Result>): Promise<Result> => {
      try {
        return await call
      } catch (error) {
        const isOut = error instanceof ScanStoreUnavailable
        if (isOut && (hasCode(error.cause, isReadOnly) || (await this.#servers[index]?.ping()) !== true))
          this.#pin.failed(index)
        throw error
      }
    }
    return {
      ...view,
      select: (...call) => watch(view.select(...call)),
      bytes: (...call) => watch(view.bytes(...call)),
      command: (...call) => watch(view.command(...call)),
      insert: (...call) => watch(view.insert(...call)),
      createDatabase: () => watch(view.createDatabase()),
    }
  }
}

/**
 * Waits until a server has the rows that any server had before the call. Deletions may still run
 * there.
 */
async function catchUp(server: ClickHouse): Promise<void> {
  for (const table of ['scans', 'first_scans'])
    await server
      .command(
        `/* analytics.catchUp */ system sync replica ${table} lightweight`,
        {},
        { deadlineMs: catchUpMs },
      )
      .catch((error: unknown) => {
        throw new ScanStoreUnavailable(
          new Error(`its replica lags behind the others: ${errorMessage(error)}`, { cause: error }),
        )
      })
}

/** One server with the statements and settings that its kind of store needs. */
function viewOf(server: ClickHouseServer, topology: StoreTopology): ClickHouse {
  const { kind } = topology
  const onCluster = kind === 'replicated' ? topology.onCluster : undefined
  // In ClickHouse Cloud, every server answers for the same storage, and may be seconds behind.
  const read = kind === 'shared' ? { select_sequential_consistency: '1' as const } : {}
  const written = {
    ...(kind === 'replicated' && {
      // More than half of the replicas must have the rows: a server may be gone for good after the
      // answer.
      insert_quorum: 'auto' as const,
      insert_quorum_parallel: 1 as const,
      insert_quorum_timeout: quorumMs,
    }),
  }
  return {
    database: server.database,
    select: (sql, params, options) => server.select(sql, params, withSettings(options, read)),
    bytes: (sql, params, options) => server.bytes(sql, params, withSettings(options, read)),
    command: (sql, params, options) => {
      if (kind === 'single') return server.command(sql, params, options)
      const { lightweight_deletes_sync, ...settings } = options?.settings ?? {}
      return server.command(replicatedStatement(sql, onCluster), params, {
        ...options,
        settings: {
          ...written,
          ...read,
          ...schemaSettings(onCluster),
          // Statements insert rows that they derive from others, and may insert them again.
          insert_deduplicate: 0,
          ...settings,
          // Replicas that are missing delete the rows when they are back.
          ...(lightweight_deletes_sync !== undefined && { lightweight_deletes_sync: '1' }),
        },
      })
    },
    insert: (table, columns, rows, options) =>
      server.insert(table, columns, rows, withSettings(options, written)),
    createDatabase: () => server.createDatabase(onCluster),
    replicas: () => server.replicas(),
    caughtUp: (work) => server.caughtUp(work),
    ping: () => server.ping(),
    close: () => server.close(),
  }
}

/** Options with settings, which those of the options override. */
function withSettings<Options extends CallOptions>(
  options: Options | undefined,
  before: NonNullable<CallOptions['settings']>,
): Options {
  return { ...options, settings: { ...before, ...options?.settings } } as Options
}
