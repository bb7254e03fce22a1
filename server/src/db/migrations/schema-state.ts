import { sql } from 'kysely'
import type { Database } from '../database.ts'
import { errorCode } from '../errors.ts'
import { migrations } from './migrate.ts'

/** `EMPTY`: nobody made a schema here yet; `OLDER`: a start of this release would migrate it; `READY`: also one of a later release. */
export type SchemaState = 'EMPTY' | 'OLDER' | 'READY'

/** Names of migrations that a start of this release would apply, and of those that only a later release has. */
export async function readPendingMigrations(db: Database): Promise<{ missing: string[]; unknown: string[] }> {
  const applied = await appliedMigrations(db)
  const names = migrations.map(({ name }) => name)
  return {
    missing: names.filter((name) => !applied.includes(name)),
    unknown: applied.filter((name) => !names.includes(name)).sort(),
  }
}

/** What a catalogue that is there holds, without changing it. */
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
