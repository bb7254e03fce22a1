import type { Database } from '../database.ts'

/** The equivalent types of both databases. */
export type ColumnTypes = {
  /** For statements that only one of them needs. */
  dialect: Database['dialect']
  /** Compared byte by byte on both, so that both sort equally. */
  text: string
  /** 64 bits. */
  integer: string
  /** The type of `changes.version`: see changes.ts. */
  transactionVersion: string
  /** Follows a table: SQLite then rejects values of another type, as PostgreSQL does. */
  strict: string
}

/**
 * Forward only. Never changed once released: the previous release must still work on the next
 * schema.
 */
export type Migration = { name: string; statements: (types: ColumnTypes) => readonly string[] }
