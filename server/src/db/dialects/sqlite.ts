import Sqlite from 'better-sqlite3'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { toCatalogueError } from '../errors.ts'

/** Before 3.51.3 a WAL that is reset at the wrong moment corrupts the file: https://sqlite.org/wal.html#walresetbug */
const versionMin = [3, 51, 3] as const

/** How long opening may wait for another process that is opening, recovering or closing the same file. */
const openTimeoutMs = 5_000

export type SqliteConnectionOptions = {
  /** How long a statement blocks this process while another holds the lock it needs. */
  busyTimeoutMs: number
  /** A connection that refuses to write. It isn't opened read-only: that one could not recover the WAL after a crash. */
  readOnly: boolean
}

/** The catalogue's file of a data directory. */
export function sqliteFile(dataDir: string): string {
  return join(dataDir, 'catalogue.sqlite')
}

/**
 * Opens a connection with the settings on which the promises rest: WAL, every commit on the disk before it is answered,
 * foreign keys. A reader needs the file to be there already.
 */
export function openSqliteConnection(file: string, options: SqliteConnectionOptions): Sqlite.Database {
  try {
    const connection = new Sqlite(file, { timeout: openTimeoutMs, fileMustExist: options.readOnly })
    refuseOldSqlite(connection)
    connection.pragma('journal_mode = wal')
    connection.pragma('synchronous = full')
    connection.pragma('foreign_keys = on')
    connection.pragma(`journal_size_limit = ${64 * 1024 ** 2}`)
    // The default of 2 MB makes every write to a large catalogue read pages again.
    if (!options.readOnly) connection.pragma(`cache_size = -${64 * 1024}`)
    connection.pragma(`busy_timeout = ${options.busyTimeoutMs}`)
    if (options.readOnly) connection.pragma('query_only = on')
    return connection
  } catch (error) {
    throw toCatalogueError(error)
  }
}

/** True when the last processes that had the file open did not close it: their WAL is still there and has content. */
export function stoppedUncleanly(file: string): boolean {
  return (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0
}

/**
 * Keeps the log of a file that was not closed until the returned function is called: the last connection that is closed would otherwise take it
 * away, and with it the sign that the next start has to check the file. Cannot write.
 */
export function keepLog(file: string): () => void {
  try {
    const connection = new Sqlite(file, { readonly: true, timeout: openTimeoutMs })
    // Only a read opens the log.
    connection.prepare('select count(*) from sqlite_master').get()
    return () => void connection.close()
  } catch (error) {
    throw toCatalogueError(error)
  }
}

/** Throws with SQLite's own findings when the file is damaged. Reads all of it: seconds per GB. */
export function checkIntegrity(connection: Sqlite.Database): void {
  const findings = connection.prepare<[], string>('pragma integrity_check(10)').pluck().all()
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
