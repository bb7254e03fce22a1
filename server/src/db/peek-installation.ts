import { existsSync } from 'node:fs'
import type { Database } from './database.ts'
import { listTables } from './foreign-tables.ts'
import { readInstallation, type Installation } from './installation.ts'
import { refuseForeignTables } from './migrations/schema-state.ts'
import { openDatabase, type DatabaseOptions } from './open-database.ts'
import { holdLog, sqliteFile } from './dialects/sqlite.ts'

/**
 * A catalogue before any write: `empty` has no organization, `unnamed` is from a release before
 * 0.2.
 */
export type PeekedCatalogue = { state: 'empty' | 'unnamed' } | { state: 'named'; installation: Installation }

/**
 * Reads the configured catalogue without creating or changing anything. Throws
 * `CatalogueUnavailable` if it does not answer, and a `FatalError` if it is of another program.
 */
export async function peekCatalogue(options: Omit<DatabaseOptions, 'role'>): Promise<PeekedCatalogue> {
  const { databaseUrl, dataDir } = options
  if (databaseUrl === undefined && !existsSync(sqliteFile(dataDir))) return { state: 'empty' }
  // The log must survive: later in the same start it shows whether the file needs a check.
  const release = databaseUrl === undefined ? holdLog(sqliteFile(dataDir)) : undefined
  try {
    return await peek(options)
  } finally {
    release?.()
  }
}

async function peek(options: Omit<DatabaseOptions, 'role'>): Promise<PeekedCatalogue> {
  // Opens as a writer: on SQLite, a reader could not recover the log of a killed service.
  const db = await openDatabase({ ...options, role: 'writer' })
  try {
    await refuseForeignTables(db)
    const tables = new Set(await listTables(db))
    const isEmpty = !tables.has('organizations') || (await isWithoutOrganizations(db))
    const installation = tables.has('installation') ? await readInstallation(db) : undefined
    if (isEmpty) return { state: 'empty' }
    return installation === undefined ? { state: 'unnamed' } : { state: 'named', installation }
  } finally {
    await db.close()
  }
}

async function isWithoutOrganizations(db: Database): Promise<boolean> {
  const row = await db.kysely.selectFrom('organizations').select('id').limit(1).executeTakeFirst()
  return row === undefined
}
