import { sql, type Kysely, type RawBuilder } from 'kysely'
import type pg from 'pg'
import type { Log } from '../log.ts'
import { isRetryable } from './errors.ts'
import type { Tables } from './tables.ts'

/**
 * The catalogue, or a transaction of it: every function of `catalogue/` takes either as its first argument, so what
 * belongs together can be put into one transaction with `inTransaction`.
 */
export type Database = {
  kysely: Kysely<Tables>
  /** Told apart in `db/` only. */
  dialect: 'sqlite' | 'postgres'
  source: DatabaseSource
  log: Log
  close: () => Promise<void>
}

/** Where further connections of the same catalogue are opened. */
export type DatabaseSource =
  | { dialect: 'sqlite'; file: string }
  | { dialect: 'postgres'; url: string; pool: pg.Pool }

const attemptsMax = 4

/**
 * Runs `work` in one transaction and gives back what it gives; a throw rolls everything back. Inside `work`, use
 * only the `tx` that is handed in (on SQLite the outer `db` would wait for this very transaction). A transaction inside
 * a transaction is part of it. A deadlock or a serialization failure runs `work` again, so it must change nothing but `tx`.
 */
export async function inTransaction<Result>(
  db: Database,
  work: (tx: Database) => Promise<Result>,
): Promise<Result> {
  if (db.kysely.isTransaction) return work(db)
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.kysely.transaction().execute((kysely) => work({ ...db, kysely }))
    } catch (error) {
      if (attempt === attemptsMax || !isRetryable(error)) throw error
    }
  }
}

/** Whether other machines may use the same catalogue. */
export function isShared({ dialect }: Database): boolean {
  return dialect === 'postgres'
}

/** Makes transactions that ask for the same name take turns, until their end. On SQLite all of them do anyway. */
export async function lockName(tx: Database, name: string): Promise<void> {
  if (tx.dialect === 'postgres')
    await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(tx.kysely)
}

/** For `modifyEnd`: the rows that are read are not deleted by others before the transaction ends. On SQLite nothing is. */
export function keptRows(tx: Database): RawBuilder<unknown> {
  return sql.raw(tx.dialect === 'postgres' ? 'for key share' : '')
}

/** For `modifyEnd`: the rows that are read are not changed, deleted or pointed to anew by others before the transaction ends. */
export function lockedRows(tx: Database): RawBuilder<unknown> {
  return sql.raw(tx.dialect === 'postgres' ? 'for update' : '')
}

/** For `modifyEnd`: locked as above, but rows that somebody else has locked are passed over. */
export function freeRows(tx: Database): RawBuilder<unknown> {
  return sql.raw(tx.dialect === 'postgres' ? 'for update skip locked' : '')
}

/** A comment for `modifyEnd`, which tells in the database's own lists whose query it is. */
export function tag(name: string): RawBuilder<unknown> {
  return sql.raw(`/* ${name} */`)
}
