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

/** Values of the `$name` placeholders of a query. Numbers are integers. */
export type ReadParams = Readonly<Record<string, string | number | readonly string[]>>

/**
 * Returns the rows of a query. Integers of 64 bits and more become numbers, so sums must stay below
 * 2^53.
 */
export type Select = <Row>(sql: string, params?: ReadParams) => Promise<Row[]>

/** Readers at a time. More would share the same memory and processors. */
const readersMax = 4
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

/** DuckDB in memory, which reads and writes files of scans. */
export class ScanEngine {
  readonly #instance: DuckDBInstance
  readonly #connection: DuckDBConnection
  readonly #waiting: (() => void)[] = []
  #readers = 0
  #turn: Promise<unknown> = Promise.resolve()

  private constructor(instance: DuckDBInstance, connection: DuckDBConnection) {
    this.#instance = instance
    this.#connection = connection
  }

  /** Opens an engine that no statement can let out of its folders. */
  static async open({ folders, spillTo, memory, threads = 1 }: EngineOptions): Promise<ScanEngine> {
    const instance = await DuckDBInstance.create(':memory:', {
      memory_limit: memory,
      threads: String(threads),
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
    return new ScanEngine(instance, connection)
  }

  /**
   * Does some work with the one connection for writing. Its parts do not run between those of other
   * such work.
   */
  inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const done = this.#turn.then(work)
    this.#turn = done.catch(() => {})
    return done
  }

  /** The connection for writing. */
  get connection(): DuckDBConnection {
    return this.#connection
  }

  async run(sql: string): Promise<void> {
    await this.#connection.run(sql)
  }

  /** Runs a statement that changes tables, beside all others. */
  async change(sql: string, params: ReadParams = {}): Promise<void> {
    const connection = await this.#instance.connect()
    try {
      await connection.run(sql, ...bindingOf(params))
    } finally {
      connection.closeSync()
    }
  }

  /** Returns the rows of a query. Integers of 64 bits and more are bigints. */
  async rows(sql: string): Promise<DuckDBValue[][]> {
    return (await this.#connection.runAndReadAll(sql)).getRows()
  }

  /**
   * Runs queries that read one state of all tables, on a connection of their own. At most 4 such
   * calls run at a time; others wait. Throws ScanStoreUnavailable at the deadline, for which the
   * engine also abandons the query, and for whatever is no fault of the query.
   */
  async read<Result>(
    work: (select: Select) => Promise<Result>,
    deadlineMs: number = deadlineMsDefault,
  ): Promise<Result> {
    try {
      return await withDeadline(deadlineMs, (signal) =>
        this.#inTurn(signal, () => this.#readWith(signal, work)),
      )
    } catch (error) {
      throw isOutage(error) ? new ScanStoreUnavailable(error) : error
    }
  }

  async #inTurn<Result>(signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
    if (this.#readers < readersMax) this.#readers++
    else await new Promise<void>((resolve) => this.#waiting.push(resolve))
    try {
      signal.throwIfAborted()
      return await work()
    } finally {
      const next = this.#waiting.shift()
      if (next === undefined) this.#readers--
      else next()
    }
  }

  async #readWith<Result>(signal: AbortSignal, work: (select: Select) => Promise<Result>): Promise<Result> {
    const connection = await this.#instance.connect()
    const interrupt = () => connection.interrupt()
    signal.addEventListener('abort', interrupt)
    try {
      await connection.run('begin transaction')
      return await work(async <Row>(sql: string, params: ReadParams = {}) => {
        signal.throwIfAborted()
        const read = await connection.runAndReadAll(sql, ...bindingOf(params))
        return rowsOf<Row>(read.deduplicatedColumnNames(), read.getColumns())
      })
    } finally {
      signal.removeEventListener('abort', interrupt)
      connection.closeSync()
    }
  }

  close(): void {
    this.#connection.closeSync()
    this.#instance.closeSync()
  }
}

function isOutage(error: unknown): boolean {
  if (error instanceof ScanStoreUnavailable || error instanceof TypeError || error instanceof RangeError)
    return false
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

function rowsOf<Row>(names: readonly string[], columns: readonly DuckDBValue[][]): Row[] {
  return Array.from({ length: columns[0]?.length ?? 0 }, (_, at) => {
    const row: Record<string, unknown> = {}
    for (const [column, name] of names.entries()) {
      const value = columns[column]?.[at]
      row[name] = typeof value === 'bigint' ? Number(value) : value
    }
    return row as Row
  })
}

/** Returns a text as a literal of SQL. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}

/**
 * Returns SQL for the rows of some files. A path that exists is no pattern, whatever it has. Files
 * of an older release may lack columns of a later one: these are null.
 */
export function rowsOfFiles(paths: readonly string[]): string {
  return `read_parquet(${pathList(paths)}, union_by_name = true)`
}

export function pathList(paths: readonly string[]): string {
  return `[${paths.map(quoted).join(', ')}]`
}
