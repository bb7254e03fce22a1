import { Kysely } from 'kysely'
import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Log } from '../log.ts'
import type { Database } from './database.ts'
import { openPostgresPool, postgresDialect } from './dialects/postgres.ts'
import { sqliteDialect } from './dialects/sqlite-dialect.ts'
import { openSqliteConnection, sqliteFile } from './dialects/sqlite.ts'
import type { Tables } from './tables.ts'

export type DatabaseOptions = {
  /** `postgres://…`; without it, SQLite in `dataDir`. */
  databaseUrl?: string | undefined
  dataDir: string
  /** A reader (the `front` process) cannot write, and has shorter timeouts. */
  role: 'writer' | 'reader'
  /** Of this process to PostgreSQL; by default 8 for a writer and 4 for a reader. */
  connectionsMax?: number | undefined
  log: Log
}

/** Returns where a catalogue is, for another process that opens it. */
export function placeOf({ source }: Database): Pick<DatabaseOptions, 'databaseUrl' | 'dataDir'> {
  if (source.dialect === 'sqlite') return { dataDir: dirname(source.file) }
  return { databaseUrl: source.url, dataDir: '' }
}

/**
 * Opens the catalogue, which `prepareDatabase` creates and upgrades. Opens SQLite immediately: a
 * reader throws `CatalogueUnavailable` if the file is missing. Connects to PostgreSQL on demand, so
 * that only the first query fails if the server is down.
 */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const { databaseUrl, dataDir, role, connectionsMax, log } = options
  if (databaseUrl !== undefined) {
    const pool = openPostgresPool(databaseUrl, { role, connectionsMax, log })
    const kysely = new Kysely<Tables>({ dialect: postgresDialect(pool, role) })
    const source = { dialect: 'postgres', url: databaseUrl, pool } as const
    // Kysely ends the pool only if queries ran through Kysely.
    const close = async () => {
      await kysely.destroy()
      if (!pool.ending) await pool.end()
    }
    return { kysely, dialect: 'postgres', source, log, close }
  }
  mkdirSync(dataDir, { recursive: true })
  const file = sqliteFile(dataDir)
  // Statements never block the event loop for a lock: the dialect waits instead.
  const connection = openSqliteConnection(file, { busyTimeoutMs: 0, readOnly: role === 'reader' })
  const kysely = new Kysely<Tables>({ dialect: sqliteDialect(connection) })
  const close = async () => {
    await kysely.destroy()
    connection.close()
  }
  return { kysely, dialect: 'sqlite', source: { dialect: 'sqlite', file }, log, close }
}
