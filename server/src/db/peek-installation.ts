import { existsSync } from 'node:fs'
import { sql } from 'kysely'
import type { Database } from './database.ts'
import { readInstallation, type Installation } from './installation.ts'
import { openDatabase, type DatabaseOptions } from './open-database.ts'
import { keepLog, sqliteFile } from './dialects/sqlite.ts'

/** A catalogue before anything was written to it: `empty` has no organization, `unnamed` is of a release before 0.2. */
export type PeekedCatalogue = { state: 'empty' | 'unnamed' } | { state: 'named'; installation: Installation }

/** Looks at the catalogue of the settings without making or changing anything. Throws `CatalogueUnavailable` while it does not answer. */
export async function peekCatalogue(options: Omit<DatabaseOptions, 'role'>): Promise<PeekedCatalogue> {
  const { databaseUrl, dataDir } = options
  if (databaseUrl === undefined && !existsSync(sqliteFile(dataDir))) return { state: 'empty' }
  // Whether the file has to be checked is seen by its log, later in the same start.
  const letGo = databaseUrl === undefined ? keepLog(sqliteFile(dataDir)) : undefined
  try {
    return await peek(options)
  } finally {
    letGo?.()
  }
}

async function peek(options: Omit<DatabaseOptions, 'role'>): Promise<PeekedCatalogue> {
  // On SQLite a reader could not recover what a killed service left in its log.
  const db = await openDatabase({ ...options, role: 'writer' })
  try {
    const tables = await tablesOf(db)
    const isEmpty = !tables.has('organizations') || (await isWithoutOrganizations(db))
    const installation = tables.has('installation') ? await readInstallation(db) : undefined
    if (isEmpty) return { state: 'empty' }
    return installation === undefined ? { state: 'unnamed' } : { state: 'named', installation }
  } finally {
    await db.close()
  }
}

async function tablesOf(db: Database): Promise<Set<string>> {
  const { rows } =
    db.dialect === 'sqlite'
      ? await sql<{ name: string }>`/* db.peekCatalogue */
          select name from sqlite_master where type = 'table'`.execute(db.kysely)
      : await sql<{ name: string }>`/* db.peekCatalogue */
          select table_name as name from information_schema.tables where table_schema = current_schema()`.execute(
          db.kysely,
        )
  return new Set(rows.map(({ name }) => name))
}

async function isWithoutOrganizations(db: Database): Promise<boolean> {
  const row = await db.kysely.selectFrom('organizations').select('id').limit(1).executeTakeFirst()
  return row === undefined
}
