import type Sqlite from 'better-sqlite3'
import { existsSync } from 'node:fs'
import { Kysely } from 'kysely'
import { FatalError } from '../../errors.ts'
import type { Database } from '../database.ts'
import { sqliteDialect } from '../dialects/sqlite-dialect.ts'
import { openSqliteConnection, sqliteFile } from '../dialects/sqlite.ts'
import type { Tables } from '../tables.ts'
import { quoted, shapeAfter, type TableShape } from './catalogue-shape.ts'
import type { CataloguePlace, CatalogueSnapshot, RowChunk } from './catalogue-snapshot.ts'
import { chunksOfLines } from './row-chunks.ts'

/** A reader of a WAL waits only for another process that recovers the WAL. */
const busyTimeoutMs = 5_000

export async function withSqliteSnapshot<Result>(
  { dataDir, log }: CataloguePlace,
  work: (snapshot: CatalogueSnapshot) => Promise<Result>,
): Promise<Result> {
  const file = sqliteFile(dataDir)
  if (!existsSync(file)) throw noCatalogue(file)
  const connection = openSqliteConnection(file, { busyTimeoutMs, readOnly: true })
  const kysely = new Kysely<Tables>({ dialect: sqliteDialect(connection, { begin: 'begin' }) })
  try {
    return await kysely.transaction().execute((tx) => {
      const db: Database = {
        kysely: tx,
        dialect: 'sqlite',
        source: { dialect: 'sqlite', file },
        log,
        close: async () => {},
      }
      // The snapshot of a transaction begins with its first read.
      return work({ db, ...snapshotOf(connection) })
    })
  } finally {
    await kysely.destroy()
    connection.close()
  }
}

function noCatalogue(file: string): FatalError {
  return new FatalError(`DATA_DIR: there is no catalogue at ${file}; name the directory of an installation`)
}

function snapshotOf(connection: Sqlite.Database): Omit<CatalogueSnapshot, 'db'> {
  const { migrations, tables } = shapeAfter(appliedMigrations(connection), 'the catalogue')
  return {
    migrations: migrations.map(({ name }) => name),
    tables: tables.map(({ name }) => name),
    rows: (name) => {
      const table = tables.find((each) => each.name === name)
      if (table === undefined) throw new Error(`the catalogue has no table "${name}"`)
      return {
        columns: table.columns.map((column) => column.name),
        chunks: readChunks(connection, table),
      }
    },
  }
}

function appliedMigrations(connection: Sqlite.Database): readonly string[] {
  const there = connection.prepare(`select 1 from sqlite_master where name = 'migrations'`).get()
  const names =
    there === undefined ? [] : connection.prepare<[], string>('select name from migrations').pluck().all()
  if (names.length === 0) throw noCatalogue(connection.name)
  return names
}

async function* readChunks(connection: Sqlite.Database, table: TableShape): AsyncGenerator<RowChunk> {
  yield* chunksOfLines(readLines(connection, table))
}

function* readLines(connection: Sqlite.Database, { name, columns, key }: TableShape): Generator<string> {
  const rows = connection
    .prepare<[], unknown[]>(
      `select ${columns.map((column) => quoted(column.name)).join(', ')}
       from ${quoted(name)}
       order by ${key.map(quoted).join(', ')} /* db.dump */`,
    )
    .raw()
  for (const row of rows.iterate()) {
    const at = row.findIndex((value) => !isPlain(value))
    if (at >= 0) throw unwritable(row, at, { name, columns, key })
    yield `${JSON.stringify(row)}\n`
  }
}

function isPlain(value: unknown): boolean {
  return value === null || typeof value === 'string' || Number.isSafeInteger(value)
}

function unwritable(row: readonly unknown[], at: number, { name, columns, key }: TableShape): FatalError {
  const ofKey = key.map((column) => row[columns.findIndex((each) => each.name === column)])
  return new FatalError(
    `the catalogue cannot be copied: in the table ${name}, the row ${JSON.stringify(ofKey)} must have a text or a whole number below 2^53 as ${columns[at]?.name}; correct that row`,
  )
}
