import { sql } from 'kysely'
import type { Database } from '../database.ts'
import { errorCode } from '../errors.ts'
import { migrations } from './migrate.ts'

/**
 * `EMPTY`: no schema yet. `OLDER`: a start of this release would migrate it. `READY`: up to date,
 * or from a later release.
 */
export type SchemaState = 'EMPTY' | 'OLDER' | 'READY'

/**
 * Returns the migrations that a start of this release would apply, and those that only a later
 * release has.
 */
export async function readPendingMigrations(db: Database): Promise<{ missing: string[]; unknown: string[] }> {
  const applied = await appliedMigrations(db)
  const names = migrations.map(({ name }) => name)
  return {
    missing: names.filter((name) => !applied.includes(name)),
    unknown: applied.filter((name) => !names.includes(name)).sort(),
  }
}

/** Returns the state of a catalogue without changing it. */
export async function readSchemaState(db: Database): Promise<SchemaState> {
  const applied = await appliedMigrations(db)
  if (applied.length === 0) return 'EMPTY'
  return migrations.every(({ name }) => applied.includes(name)) ? 'READY' : 'OLDER'
}

async function appliedMigrations(db: Database): Promise<readonly string[]> {
  try {
    const { rows } = await sql<{
      name: string
    }>`/* db.readSchemaState */ select name from migrations`.execute(db.kysely)
    return rows.map(({ name }) => name)
  } catch (error) {
    const isMissing =
      errorCode(error) === '42P01' || (error instanceof Error && error.message.startsWith('no such table'))
    if (isMissing) return []
    throw error
  }
}
