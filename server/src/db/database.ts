import { sql, type Kysely, type RawBuilder } from 'kysely'
import type pg from 'pg'
import type { Log } from '../log.ts'
import { isRetryable } from './errors.ts'
import type { Tables } from './tables.ts'
import { TransactionWatch } from './transaction-watch.ts'

/**
 * The catalogue or a transaction on it. Every function of `catalogue/` takes either as its first
 * argument, so `inTransaction` can combine several of them in one transaction.
 */
export type Database = {
  kysely: Kysely<Tables>
  /** Only `db/` distinguishes the dialects. */
  dialect: 'sqlite' | 'postgres'
  source: DatabaseSource
  log: Log
  close: () => Promise<void>
  /** Set in a dry run: the connection whose transactions are rolled back. See `rehearsalOf`. */
  rehearsed?: Kysely<Tables>
  /** Runs at the end of each transaction, as a part of it. */
  beforeCommit?: (tx: Database) => Promise<void>
}

/** The location of the catalogue, for further connections. */
export type DatabaseSource =
  | { dialect: 'sqlite'; file: string }
  | { dialect: 'postgres'; url: string; pool: pg.Pool }

const attemptsMax = 4

/** Ends a transaction of a rehearsal, with its result. */
class Rehearsed extends Error {
  readonly result: unknown

  constructor(result: unknown) {
    super('a rehearsal ended')
    this.result = result
  }
}

/**
 * Runs `work` in one transaction and returns its result; a throw rolls everything back. Inside
 * `work`, use only the given `tx` (on SQLite the outer `db` would wait for this very transaction).
 * A nested transaction is part of the outer one. After a deadlock or serialization failure `work`
 * runs again, so it must change nothing but `tx`. Do nothing else meanwhile: a pause of more than
 * 250 ms is logged.
 */
export async function inTransaction<Result>(
  db: Database,
  work: (tx: Database) => Promise<Result>,
): Promise<Result> {
  if (db.kysely.isTransaction) return work(db)
  const { rehearsed, beforeCommit } = db
  for (let attempt = 1; ; attempt++) {
    try {
      return await (rehearsed ?? db.kysely).transaction().execute(async (transaction) => {
        const watch = new TransactionWatch()
        const tx = { ...db, kysely: transaction.withPlugin(watch) }
        const result = await work(tx)
        if (rehearsed !== undefined) throw new Rehearsed(result)
        await beforeCommit?.(tx)
        watch.end(db.log)
        return result
      })
    } catch (error) {
      if (error instanceof Rehearsed) return error.result as Result
      if (attempt === attemptsMax || !isRetryable(error)) throw error
    }
  }
}

/** Whether other machines may use the same catalogue. */
export function isShared({ dialect }: Database): boolean {
  return dialect === 'postgres'
}

/**
 * Serializes transactions that lock the same name, until their end. SQLite serializes all of them
 * anyway.
 */
export async function lockName(tx: Database, name: string): Promise<void> {
  if (tx.dialect === 'postgres')
    await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(tx.kysely)
}

/**
 * For `modifyEnd`: other transactions cannot delete the selected rows until this one ends. SQLite
 * needs no lock.
 */
export function forKeyShare(tx: Database): RawBuilder<unknown> {
  return sql.raw(tx.dialect === 'postgres' ? 'for key share' : '')
}

/**
 * For `modifyEnd`: other transactions cannot change, delete or newly reference the selected rows
 * until this one ends.
 */
export function forUpdate(tx: Database): RawBuilder<unknown> {
  return sql.raw(tx.dialect === 'postgres' ? 'for update' : '')
}

/**
 * For `modifyEnd`: other transactions cannot change or delete the selected rows of `table` until
 * this one ends. Skips rows that another transaction is changing.
 */
export function forNoKeyUpdateSkipLocked(tx: Database, table: string): RawBuilder<unknown> {
  return tx.dialect === 'postgres' ? sql`for no key update of ${sql.table(table)} skip locked` : sql``
}

/** A comment for `modifyEnd` that identifies a query in the database's own lists. */
export function tag(name: string): RawBuilder<unknown> {
  return sql.raw(`/* ${name} */`)
}
