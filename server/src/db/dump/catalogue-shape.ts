import Sqlite from 'better-sqlite3'
import { FatalError } from '../../errors.ts'
import { sqliteTypes } from '../migrations/migrate-sqlite.ts'
import { migrations as releasedMigrations } from '../migrations/migrate.ts'
import type { Migration } from '../migrations/migration.ts'

/** A table as a dump has it: the same whether the catalogue is on SQLite or on PostgreSQL. */
export type TableShape = {
  name: string
  columns: readonly ColumnShape[]
  /** Its primary key, by which a dump is sorted. */
  key: readonly string[]
}

export type ColumnShape = { name: string; type: 'text' | 'integer' }

export type CatalogueShape = {
  migrations: readonly Migration[]
  /** Those of this release that are not among them. */
  missing: readonly Migration[]
  /** All but `migrations`, each after those that it points to. */
  tables: readonly TableShape[]
}

/**
 * What SQLite alone has and makes of the rest: it numbers codes for its index of names. What PostgreSQL alone has (who counted)
 * needs no line here, as the shape is that of SQLite.
 */
const derivedColumns: Readonly<Record<string, readonly string[]>> = { qr_codes: ['number'] }

/**
 * The tables that these migrations make, on either database. Throws a `FatalError` when this release lacks one
 * of them; `whose` begins its sentence.
 */
export function shapeAfter(applied: readonly string[], whose: 'the catalogue' | 'the copy'): CatalogueShape {
  const released = new Set(releasedMigrations.map(({ name }) => name))
  const unknown = applied.filter((name) => !released.has(name)).sort()
  if (unknown.length > 0)
    throw new FatalError(
      `${whose} was made by a later release (${unknown.join(', ')}); use that release or a later one`,
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
  // Those of an index over texts have other types.
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
    const kept = all.filter((column) => derivedColumns[name]?.includes(column.name) !== true)
    return {
      name,
      columns: kept.map((column) => ({
        name: column.name,
        type: column.type === 'integer' ? 'integer' : 'text',
      })),
      key: all
        .filter(({ pk }) => pk > 0)
        .sort((a, b) => a.pk - b.pk)
        .map((column) => column.name),
      // A folder in a folder is one of many rows of one table.
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
    if (next === undefined) throw new Error('tables point to each other in a circle')
    ordered.push(next)
  }
  return ordered.map(({ name, columns, key }) => ({ name, columns, key }))
}

/** A name of a table or column as SQL takes it. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
