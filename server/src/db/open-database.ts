import { Kysely } from 'kysely'
import { mkdirSync } from 'node:fs'
import type { Log } from '../log.ts'
import type { Database } from './database.ts'
import { openPostgresPool, postgresDialect } from './dialects/postgres.ts'
import { sqliteDialect } from './dialects/sqlite-dialect.ts'
import { openSqliteConnection, sqliteFile } from './dialects/sqlite.ts'
import type { Tables } from './tables.ts'

export type DatabaseOptions = {
  /** `postgres://…`; absent: SQLite in `dataDir`. */
  databaseUrl?: string | undefined
  dataDir: string
  /** A reader (the `front` process) cannot write, and waits less. */
  role: 'writer' | 'reader'
  log: Log
}

/**
 * Opens the catalogue; `prepareDatabase` makes and upgrades it. SQLite is opened now: a reader throws `CatalogueUnavailable` when
 * the file is not there. PostgreSQL is connected to when needed, so a server that is down is met at the first query.
 */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const { databaseUrl, dataDir, role, log } = options
  if (databaseUrl !== undefined) {
    const pool = openPostgresPool(databaseUrl, { role, log })
    const kysely = new Kysely<Tables>({ dialect: postgresDialect(pool, role) })
    const source = { dialect: 'postgres', url: databaseUrl, pool } as const
    // Kysely ends the pool only when it was used through Kysely.
    const close = async () => {
      await kysely.destroy()
      if (!pool.ending) await pool.end()
    }
    return { kysely, dialect: 'postgres', source, log, close }
  }
  mkdirSync(dataDir, { recursive: true })
  const file = sqliteFile(dataDir)
  // Statements never block the event loop for a lock: the dialect waits for it instead.
  const connection = openSqliteConnection(file, { busyTimeoutMs: 0, readOnly: role === 'reader' })
  const kysely = new Kysely<Tables>({ dialect: sqliteDialect(connection) })
  const close = async () => {
    await kysely.destroy()
    connection.close()
  }
  return { kysely, dialect: 'sqlite', source: { dialect: 'sqlite', file }, log, close }
}
