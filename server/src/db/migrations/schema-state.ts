import { sql } from 'kysely'
import type { Database } from '../database.ts'
import { FatalError } from '../../errors.ts'
import { errorCode } from '../errors.ts'
import { foreignTablesText, listTables } from '../foreign-tables.ts'
import { migrations } from './migrate.ts'

/**
 * `EMPTY`: no schema yet. `OLDER`: a start of this release would migrate it. `READY`: up to date,
 * or from a later release.
 */
export type SchemaState = 'EMPTY' | 'OLDER' | 'READY'

/** Other programs have a table of this name, too. */
const ownTable = 'migrations'
/** More than we shall ever have. */
const rowsMax = 10_000

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

/** Returns the state of a catalogue without changing it. Throws like `refuseForeignTables`. */
export async function readSchemaState(db: Database): Promise<SchemaState> {
  const applied = await appliedMigrations(db)
  if (applied.length === 0) {
    await refuseForeignTables(db)
    return 'EMPTY'
  }
  return migrations.every(({ name }) => applied.includes(name)) ? 'READY' : 'OLDER'
}

/** Throws an Error that says what to do unless a catalogue has the schema of this release. */
export async function requireReadyCatalogue(db: Database): Promise<void> {
  const state = await readSchemaState(db)
  if (state === 'EMPTY')
    throw new FatalError(
      'the database holds no catalogue yet. Start the service once to create it: ./everscan start.',
    )
  if (state === 'OLDER')
    throw new FatalError(
      'the catalogue is of an older release. Start the service once to upgrade it: ./everscan start.',
    )
}

/**
 * Throws a `FatalError` if a database has tables and no catalogue of ours: our tables would mix
 * with those of another program.
 */
export async function refuseForeignTables(db: Database): Promise<void> {
  if ((await appliedMigrations(db)).length > 0) return
  const tables = (await listTables(db)).filter((name) => name !== ownTable)
  if (tables.length > 0) throw new FatalError(foreignTablesText(db, tables))
}

async function appliedMigrations(db: Database): Promise<readonly string[]> {
  const names = (await readOwnTable(db)).flatMap(({ name }) => (typeof name === 'string' ? [name] : []))
  const [first] = migrations
  return first !== undefined && names.includes(first.name) ? names : []
}

/** Returns its rows, none if there is no such table. That of another program has other columns. */
async function readOwnTable(db: Database): Promise<readonly { name?: unknown }[]> {
  // SQLite has no code for a missing table.
  if (db.dialect === 'sqlite' && !(await listTables(db)).includes(ownTable)) return []
  try {
    const { rows } = await sql<{ name?: unknown }>`/* db.readSchemaState */
      select * from migrations limit ${rowsMax}`.execute(db.kysely)
    return rows
  } catch (error) {
    if (errorCode(error) === '42P01') return []
    throw error
  }
}
