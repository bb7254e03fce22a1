import { sql } from 'kysely'
import type { Database } from './database.ts'
import { CatalogueUnavailable } from './errors.ts'

/** True when the catalogue answers and has a schema. False when it doesn't answer within a few seconds. */
export async function databaseReady(db: Database): Promise<boolean> {
  try {
    await sql`/* db.databaseReady */ select count(*) from migrations`.execute(db.kysely)
    return true
  } catch (error) {
    if (error instanceof CatalogueUnavailable) return false
    throw error
  }
}
