import type { Database } from '../database.ts'
import type { DatabaseOptions } from '../open-database.ts'

/** `databaseUrl` absent: SQLite in `dataDir`. */
export type CataloguePlace = Omit<DatabaseOptions, 'role'>

/** A catalogue as it was at one moment; the service goes on meanwhile. Good until the `work` that it was made for ends. */
export type CatalogueSnapshot = {
  /** Reads inside the same snapshot, and writes nothing. Throws while the rows of a table are being read from PostgreSQL. */
  db: Database
  /** Names of the applied migrations, in order. */
  migrations: readonly string[]
  /** All tables but `migrations`, each after those that it points to. */
  tables: readonly string[]
  rows: (table: string) => TableRows
}

/**
 * Rows of a table in the order of its primary key: lines of JSON arrays of strings, numbers and null in the order of `columns`, as
 * UTF-8, each with a line feed at its end. The same rows are the same bytes on SQLite and on PostgreSQL.
 *
 * What a database has for itself is left out or added up: SQLite's numbers of codes and its index of names, which a load makes anew,
 * and by whom PostgreSQL's counts were counted.
 */
export type TableRows = {
  columns: readonly string[]
  /** To be read once, one table at a time. */
  chunks: AsyncIterable<RowChunk>
}

/** Whole lines: about 1 MiB, less at the end and before a long line, more when one line is longer. */
export type RowChunk = { rows: number; bytes: Buffer }
