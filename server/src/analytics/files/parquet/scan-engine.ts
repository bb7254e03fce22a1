import {
  BIGINT,
  DuckDBInstance,
  LIST,
  listValue,
  VARCHAR,
  type DuckDBConnection,
  type DuckDBType,
  type DuckDBValue,
} from '@duckdb/node-api'
import { ScanStoreUnavailable } from '../../scan-store.ts'
import { deadlineMsDefault, withDeadline } from '../../store/deadline.ts'
import { EngineLanes, type Lane } from './engine-lanes.ts'
import { quoted } from './file-sql.ts'
import { rowsFrom, type ReadParams, type Select, type SelectColumns } from './select.ts'

const interruptMs = 50
/** How the engine begins its messages about a statement that is wrong, whenever it runs. */
const faults = /^(Parser|Binder|Conversion|Invalid Input|Not implemented|INTERNAL) Error/

export type EngineOptions = {
  /** The folders that the engine may read and write; nothing else. */
  folders: readonly string[]
  /** Of these, the folder for queries that need more memory than they may take. */
  spillTo: string
  /** Such as `64MB`. */
  memory: string
  threads?: number
}

const memoryShare = 1 / 5
/** Two threads merge a million scans with 128 MB, and not with 64 (measured). */
const memoryMbPerThread = 64

/** Returns how much of a machine an engine takes: a fifth of its memory, and at least 64 MB. */
export function engineSize({
  memoryBytes,
  processors,
}: {
  memoryBytes: number
  processors: number
}): Required<Pick<EngineOptions, 'memory' | 'threads'>> {
  const memoryMb = Math.max(memoryMbPerThread, Math.floor((memoryBytes * memoryShare) / 1024 ** 2))
  return { memory: `${memoryMb}MB`, threads: Math.min(processors, Math.floor(memoryMb / memoryMbPerThread)) }
}

/** DuckDB in memory, which reads and writes files of scans. */
export class ScanEngine {
  readonly #instance: DuckDBInstance
  /** For files, which may take seconds, and for scans that are in none yet. */
  readonly files: ScanWriter
  readonly recent: ScanWriter
  readonly lanes = new EngineLanes()

  private constructor(instance: DuckDBInstance, files: ScanWriter, recent: ScanWriter) {
    this.#instance = instance
    this.files = files
    this.recent = recent
  }

  /** Opens an engine that no statement can let out of its folders. */
  static async open({ folders, spillTo, memory, threads = 1 }: EngineOptions): Promise<ScanEngine> {
    const instance = await DuckDBInstance.create(':memory:', {
      memory_limit: memory,
      threads: String(threads),
      // Else it keeps up to three times its limit after a query (measured, record 122).
      allocator_background_threads: 'true',
      temp_directory: spillTo,
      autoinstall_known_extensions: 'false',
      autoload_known_extensions: 'false',
    })
    const connection = await instance.connect()
    await connection.run(`set allowed_directories = [${folders.map(quoted).join(', ')}]`)
    // Files never change, so the footer of one is read once.
    await connection.run('set global parquet_metadata_cache = true')
    await connection.run('set enable_external_access = false')
    await connection.run('set lock_configuration = true')
    const recent = new ScanWriter(await instance.connect())
    return new ScanEngine(instance, new ScanWriter(connection), recent)
  }

  /** Runs a statement that changes tables, beside all others. */
  async change(sql: string, params: ReadParams = {}, signal?: AbortSignal): Promise<void> {
    const connection = await this.#instance.connect()
    try {
      await interruptible(connection, signal, () => connection.run(sql, ...bindingOf(params)))
    } finally {
      connection.closeSync()
    }
  }

  /**
   * Runs queries that read one state of all tables, on a connection of their own, in the lane of
   * figures; with a deadline, in that of exports. Throws ScanStoreUnavailable at the deadline, for
   * which the engine also abandons the query, and for whatever is no fault of the query.
   */
  read<Result>(work: (select: Select) => Promise<Result>, deadlineMs?: number): Promise<Result> {
    return this.readColumns((select) => work(rowsFrom(select)), { deadlineMs })
  }

  /** The same for a caller who may leave before, and takes columns. */
  async readColumns<Result>(
    work: (select: SelectColumns) => Promise<Result>,
    { deadlineMs, left }: { deadlineMs?: number | undefined; left?: AbortSignal } = {},
  ): Promise<Result> {
    const lane: Lane = deadlineMs === undefined ? 'figures' : 'exports'
    try {
      return await withDeadline(deadlineMs ?? deadlineMsDefault, (late) => {
        const signal = left === undefined ? late : AbortSignal.any([late, left])
        return this.lanes.run(lane, () => this.#readWith(signal, work), signal)
      })
    } catch (error) {
      throw error instanceof ScanStoreUnavailable || !isOutage(error)
        ? error
        : new ScanStoreUnavailable(error)
    }
  }

  async #readWith<Result>(
    signal: AbortSignal,
    work: (select: SelectColumns) => Promise<Result>,
  ): Promise<Result> {
    const connection = await this.#instance.connect()
    try {
      return await interruptible(connection, signal, async () => {
        await connection.run('begin transaction')
        return await work(async (sql, params = {}) => {
          signal.throwIfAborted()
          const read = await connection.runAndReadAll(sql, ...bindingOf(params))
          return { names: read.deduplicatedColumnNames(), columns: read.getColumns() }
        })
      })
    } finally {
      connection.closeSync()
    }
  }

  close(): void {
    this.files.close()
    this.recent.close()
    this.#instance.closeSync()
  }
}

/** A connection that writes one thing at a time. */
export class ScanWriter {
  readonly connection: DuckDBConnection
  #turn: Promise<unknown> = Promise.resolve()

  constructor(connection: DuckDBConnection) {
    this.connection = connection
  }

  /**
   * Does some work whose parts do not run between those of other such work. A query of it that runs
   * at the signal is abandoned.
   */
  inTurn<Result>(work: () => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    const done = this.#turn.then(() => interruptible(this.connection, signal, work))
    this.#turn = done.catch(() => {})
    return done
  }

  async run(sql: string): Promise<void> {
    await this.connection.run(sql)
  }

  /** Returns the rows of a query. Integers of 64 bits and more are bigints. */
  async rows(sql: string): Promise<DuckDBValue[][]> {
    return (await this.connection.runAndReadAll(sql)).getRows()
  }

  close(): void {
    this.connection.closeSync()
  }
}

/** Does some work with a connection, whose queries end at the signal. */
async function interruptible<Result>(
  connection: DuckDBConnection,
  signal: AbortSignal | undefined,
  work: () => Promise<Result>,
): Promise<Result> {
  if (signal === undefined) return await work()
  signal.throwIfAborted()
  let interrupting: NodeJS.Timeout | undefined
  // One that comes before the query begins has no effect.
  const interrupt = () => {
    connection.interrupt()
    interrupting ??= setInterval(interrupt, interruptMs)
  }
  signal.addEventListener('abort', interrupt)
  try {
    return await work()
  } finally {
    signal.removeEventListener('abort', interrupt)
    clearInterval(interrupting)
  }
}

/** Whether an error of the engine is no fault of the statement. */
export function isOutage(error: unknown): boolean {
  if (error instanceof TypeError || error instanceof RangeError) return false
  return !(error instanceof Error && faults.test(error.message))
}

function bindingOf(params: ReadParams): [Record<string, DuckDBValue>, Record<string, DuckDBType>] {
  const values: Record<string, DuckDBValue> = {}
  const types: Record<string, DuckDBType> = {}
  for (const [name, value] of Object.entries(params)) {
    if (typeof value === 'number') [values[name], types[name]] = [BigInt(value), BIGINT]
    else if (typeof value === 'string') [values[name], types[name]] = [value, VARCHAR]
    else [values[name], types[name]] = [listValue([...value]), LIST(VARCHAR)]
  }
  return [values, types]
}
