import { DuckDBInstance, type DuckDBConnection, type DuckDBValue } from '@duckdb/node-api'

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
    await connection.run('set enable_external_access = false')
    await connection.run('set lock_configuration = true')
    return new ScanEngine(instance, connection)
  }

  /** The connection, for the appender. */
  get connection(): DuckDBConnection {
    return this.#connection
  }

  async run(sql: string): Promise<void> {
    await this.#connection.run(sql)
  }

  /** Returns the rows of a query. Integers of 64 bits and more are bigints. */
  async rows(sql: string): Promise<DuckDBValue[][]> {
    return (await this.#connection.runAndReadAll(sql)).getRows()
  }

  close(): void {
    this.#connection.closeSync()
    this.#instance.closeSync()
  }
}

/** Returns a text as a literal of SQL. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}

/** Returns SQL for the rows of some files. A path that exists is no pattern, whatever it has. */
export function rowsOfFiles(paths: readonly string[]): string {
  return `read_parquet(${pathList(paths)})`
}

export function pathList(paths: readonly string[]): string {
  return `[${paths.map(quoted).join(', ')}]`
}
