import { sql } from 'kysely'
import type { Database } from './database.ts'
import { CatalogueUnavailable } from './errors.ts'

/** Whether the catalogue answers within a few seconds and has a schema. */
export async function databaseReady(db: Database): Promise<boolean> {
  try {
    await sql`/* db.databaseReady */ select count(*) from migrations`.execute(db.kysely)
    return true
  } catch (error) {
    if (error instanceof CatalogueUnavailable) return false
    throw error
  }
}
