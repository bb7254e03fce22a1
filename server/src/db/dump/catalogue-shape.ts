import Sqlite from 'better-sqlite3'
import { FatalError } from '../../errors.ts'
import { sqliteTypes } from '../migrations/migrate-sqlite.ts'
import { migrations as releasedMigrations } from '../migrations/migrate.ts'
import type { Migration } from '../migrations/migration.ts'

/** A table of a dump: equal on SQLite and PostgreSQL. */
export type TableShape = {
  name: string
  columns: readonly ColumnShape[]
  /** The primary key, which sorts a dump. */
  key: readonly string[]
}

export type ColumnShape = { name: string; type: 'text' | 'integer' }

export type CatalogueShape = {
  migrations: readonly Migration[]
  /** The migrations of this release that are missing. */
  missing: readonly Migration[]
  /** All tables except `migrations`, each after the tables that it references. */
  tables: readonly TableShape[]
}

/**
 * Columns that only SQLite has and derives from others: it numbers codes for its index of names.
 * PostgreSQL's extra column (which connection counted) needs no entry, because the shape comes from
 * SQLite.
 */
const derivedColumns: Readonly<Record<string, readonly string[]>> = { qr_codes: ['number'] }

/**
 * Returns the tables that these migrations create, on either database. Throws a `FatalError`
 * if this release lacks one of the migrations; `whose` begins its sentence.
 */
export function shapeAfter(applied: readonly string[], whose: 'the catalogue' | 'the copy'): CatalogueShape {
  const released = new Set(releasedMigrations.map(({ name }) => name))
  const unknown = applied.filter((name) => !released.has(name)).sort()
  if (unknown.length > 0)
    throw new FatalError(
      `${whose} was created by a later release (${unknown.join(', ')}); use that release or a later one`,
    )
  const migrations = releasedMigrations.filter(({ name }) => applied.includes(name))
  const missing = releasedMigrations.filter(({ name }) => !applied.includes(name))
  return { migrations, missing, tables: tablesAfter(migrations) }
}

function tablesAfter(migrations: readonly Migration[]): readonly TableShape[] {
  const connection = new Sqlite(':memory:')
  try {
    for (const { statements } of migrations)
      for (const statement of statements(sqliteTypes)) connection.exec(statement)
    return inOrder(readTables(connection))
  } finally {
    connection.close()
  }
}

type PointingTable = TableShape & { pointsTo: readonly string[] }

function readTables(connection: Sqlite.Database): PointingTable[] {
  // The tables of a full-text index have other types.
  const names = connection
    .prepare<[], string>(
      `select name from pragma_table_list
       where schema = 'main' and type = 'table' and name not like 'sqlite!_%' escape '!'
       order by name`,
    )
    .pluck()
    .all()
  const columnsOf = connection.prepare<[string], { name: string; type: string; pk: number }>(
    'select name, lower(type) as type, pk from pragma_table_info(?) order by cid',
  )
  const pointsTo = connection
    .prepare<[string], string>('select distinct "table" from pragma_foreign_key_list(?)')
    .pluck()
  return names.map((name) => {
    const all = columnsOf.all(name)
    const stored = all.filter((column) => derivedColumns[name]?.includes(column.name) !== true)
    return {
      name,
      columns: stored.map((column) => ({
        name: column.name,
        type: column.type === 'integer' ? 'integer' : 'text',
      })),
      key: all
        .filter(({ pk }) => pk > 0)
        .sort((a, b) => a.pk - b.pk)
        .map((column) => column.name),
      // References within a table, such as nested folders, do not matter for the order.
      pointsTo: pointsTo.all(name).filter((target) => target !== name),
    }
  })
}

function inOrder(tables: readonly PointingTable[]): readonly TableShape[] {
  const ordered: PointingTable[] = []
  while (ordered.length < tables.length) {
    const done = new Set(ordered.map(({ name }) => name))
    const next = tables.find(
      ({ name, pointsTo }) => !done.has(name) && pointsTo.every((target) => done.has(target)),
    )
    if (next === undefined) throw new Error('tables reference each other in a circle')
    ordered.push(next)
  }
  return ordered.map(({ name, columns, key }) => ({ name, columns, key }))
}

/** Quotes the name of a table or column for SQL. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
