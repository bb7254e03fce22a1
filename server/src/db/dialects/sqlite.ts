import Sqlite from 'better-sqlite3'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { toCatalogueError } from '../errors.ts'

/**
 * Before 3.51.3, a WAL reset at the wrong moment corrupts the file:
 * https://sqlite.org/wal.html#walresetbug
 */
const versionMin = [3, 51, 3] as const

/** How long opening waits for another process that opens, recovers or closes the same file. */
const openTimeoutMs = 5_000

export type SqliteConnectionOptions = {
  /** How long a statement blocks this process while another process holds a lock. */
  busyTimeoutMs: number
  /**
   * Rejects writes. The file is not opened read-only, because such a connection could not recover
   * the WAL after a crash.
   */
  readOnly: boolean
}

/** Returns the path of the catalogue in a data directory. */
export function sqliteFile(dataDir: string): string {
  return join(dataDir, 'catalogue.sqlite')
}

/**
 * Opens a connection with the settings behind the durability promises: WAL, every commit on disk
 * before the response, foreign keys. A reader needs an existing file.
 */
export function openSqliteConnection(file: string, options: SqliteConnectionOptions): Sqlite.Database {
  try {
    const connection = new Sqlite(file, { timeout: openTimeoutMs, fileMustExist: options.readOnly })
    refuseOldSqlite(connection)
    connection.pragma('journal_mode = wal')
    connection.pragma('synchronous = full')
    connection.pragma('foreign_keys = on')
    connection.pragma(`journal_size_limit = ${64 * 1024 ** 2}`)
    // With the default of 2 MB, every write to a large catalogue reads pages again.
    if (!options.readOnly) connection.pragma(`cache_size = -${64 * 1024}`)
    connection.pragma(`busy_timeout = ${options.busyTimeoutMs}`)
    if (options.readOnly) connection.pragma('query_only = on')
    return connection
  } catch (error) {
    throw toCatalogueError(error)
  }
}

/** Whether the last processes with the file open did not close it: their WAL still has content. */
export function stoppedUncleanly(file: string): boolean {
  return (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0
}

/**
 * Preserves the WAL of a file that was not closed cleanly, until the returned function is called.
 * Otherwise the last closing connection would delete it, and the next start would not know that it
 * must check the file. Cannot write.
 */
export function holdLog(file: string): () => void {
  try {
    const connection = new Sqlite(file, { readonly: true, timeout: openTimeoutMs })
    // Only a read opens the WAL.
    connection.prepare('select count(*) from sqlite_master').get()
    return () => void connection.close()
  } catch (error) {
    throw toCatalogueError(error)
  }
}

/**
 * Throws with SQLite's findings if the file is damaged. Reads the whole file: seconds per GB.
 * `quick_check` takes a third of the time, and does not compare indexes with their tables.
 */
export function checkIntegrity(
  connection: Sqlite.Database,
  check: 'integrity_check' | 'quick_check' = 'integrity_check',
): void {
  const findings = connection.prepare<[], string>(`pragma ${check}(10)`).pluck().all()
  if (findings.length === 1 && findings[0] === 'ok') return
  throw new Error(`${connection.name} is damaged, restore it from a backup: ${findings.join('; ')}`)
}

function refuseOldSqlite(connection: Sqlite.Database): void {
  const version = connection.prepare<[], string>('select sqlite_version()').pluck().get() ?? ''
  const parts = version.split('.').map(Number)
  for (const [index, least] of versionMin.entries()) {
    const part = parts[index] ?? 0
    if (part > least) return
    if (part < least) throw new Error(`SQLite must be ${versionMin.join('.')} or later, got ${version}`)
  }
}
