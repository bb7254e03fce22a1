import type { Database } from '../database.ts'

/** What the two databases call the same thing. */
export type ColumnTypes = {
  /** For what only one of them has. */
  dialect: Database['dialect']
  /** Compared byte by byte on both, so that both sort alike. */
  text: string
  /** 64 bits. */
  integer: string
  /** Of `changes.version`: see changes.ts. */
  transactionVersion: string
  /** After a table: SQLite then refuses values of another type, as PostgreSQL does. */
  strict: string
}

/** Forward only, never changed once released; the release before must still work on the schema after. */
export type Migration = { name: string; statements: (types: ColumnTypes) => readonly string[] }
