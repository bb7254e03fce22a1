import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { migrateDatabase } from '../migrations/migrate.ts'
import { openDatabase } from '../open-database.ts'

export const silentLog = pino({ level: 'silent' })

/**
 * Returns the data directory of a migrated, empty SQLite catalogue, to be copied: migrating takes
 * longer than most tests. The caller removes it.
 */
export async function createSqliteTemplate(): Promise<string> {
  const dataDir = mkdtempSync(join(tmpdir(), 'everscan-sqlite-'))
  await migrate({ dataDir })
  return dataDir
}

/** Migrates an empty database on PostgreSQL, and closes its connections. */
export function migratePostgres(databaseUrl: string): Promise<void> {
  return migrate({ dataDir: '', databaseUrl })
}

async function migrate(source: { dataDir: string; databaseUrl?: string }): Promise<void> {
  const db = await openDatabase({ ...source, role: 'writer', log: silentLog })
  await migrateDatabase(db)
  await db.close()
}
