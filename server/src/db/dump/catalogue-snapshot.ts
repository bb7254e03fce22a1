import type { Database } from '../database.ts'
import type { DatabaseOptions } from '../open-database.ts'

/** Without `databaseUrl`: SQLite in `dataDir`. */
export type CataloguePlace = Omit<DatabaseOptions, 'role'>

/** A catalogue at one moment, while the service continues. Valid until `work` ends. */
export type CatalogueSnapshot = {
  /**
   * Reads inside the same snapshot; writes fail. Throws while the rows of a PostgreSQL table are
   * being read.
   */
  db: Database
  /** Names of the applied migrations, in order. */
  migrations: readonly string[]
  /** All tables except `migrations`, each after the tables that it references. */
  tables: readonly string[]
  rows: (table: string) => TableRows
}

/**
 * The rows of a table in the order of its primary key: UTF-8 lines of JSON arrays of strings,
 * numbers and null in the order of `columns`, each with a final line feed. Equal rows are equal
 * bytes on SQLite and PostgreSQL.
 *
 * Data of one database only is omitted or added up: SQLite's numbers of codes and its index of
 * names, which a load recreates, and which connection PostgreSQL's counts came from.
 */
export type TableRows = {
  columns: readonly string[]
  /** Can be read once, one table at a time. */
  chunks: AsyncIterable<RowChunk>
}

/**
 * Whole lines: about 1 MiB, less at the end and before a long line, more for a single longer line.
 */
export type RowChunk = { rows: number; bytes: Buffer }
