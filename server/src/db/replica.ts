import { Kysely } from 'kysely'
import type { Pool } from 'pg'
import { setTimeout as sleep } from 'node:timers/promises'
import { errorMessage } from '../errors.ts'
import type { Log } from '../log.ts'
import type { Database } from './database.ts'
import { openPostgresPool, postgresDialect } from './dialects/postgres.ts'
import { CatalogueUnavailable } from './errors.ts'
import type { Tables } from './tables.ts'

/** A request waits this long for a replica to catch up. */
const waitMsMax = 50
const lookEveryMs = 5
const lagRestMs = 1_000
const failureRestMs = 5_000
const logEveryMs = 60_000

/**
 * The end of the log of changes. Without synchronous commits, a change that was acknowledged may
 * not be on disk yet.
 */
const placeOfChanges = `/* db.placeOfChanges */
  select (case
    when current_setting('synchronous_commit') = 'off' then pg_current_wal_insert_lsn()
    else pg_current_wal_flush_lsn()
  end)::text as place`

/**
 * A standby of the catalogue. It is read only if it has every change that was committed before the
 * request: whoever changes something, on any machine, sees it in the next list.
 */
export class Replica {
  readonly #primary: Pool
  readonly #db: Database & { source: { pool: Pool } }
  readonly #log: Log
  readonly #reads = { replica: 0, primary: 0 }
  #restsUntilMs = -Infinity
  #loggedAtMs = -Infinity

  constructor({ url, primary, log }: { url: string; primary: Database; log: Log }) {
    if (primary.source.dialect !== 'postgres') throw new Error('SQLite has no replica')
    this.#primary = primary.source.pool
    this.#log = log
    const pool = openPostgresPool(url, { role: 'replica', log })
    const kysely = new Kysely<Tables>({ dialect: postgresDialect(pool, 'replica') })
    const close = async () => {
      await kysely.destroy()
      if (!pool.ending) await pool.end()
    }
    this.#db = { kysely, dialect: 'postgres', source: { dialect: 'postgres', url, pool }, log, close }
  }

  /** How often `read` used the replica, and how often the catalogue itself. */
  stats(): Readonly<{ replica: number; primary: number }> {
    return { ...this.#reads }
  }

  /**
   * Runs work that only reads, on the replica if that has every change, else on `primary`. The work
   * may run twice: a standby cancels queries that hold up its changes.
   */
  async read<Result>(primary: Database, work: (db: Database) => Promise<Result> | Result): Promise<Result> {
    if (await this.#isCurrent()) {
      try {
        const result = await work(this.#db)
        this.#reads.replica++
        return result
      } catch (error) {
        if (!(error instanceof CatalogueUnavailable)) throw error
        this.#rest(error.cause, failureRestMs)
      }
    }
    this.#reads.primary++
    return work(primary)
  }

  close(): Promise<void> {
    return this.#db.close()
  }

  async #isCurrent(): Promise<boolean> {
    if (performance.now() < this.#restsUntilMs) return false
    try {
      const { rows } = await this.#primary.query<{ place: string }>(placeOfChanges)
      const untilMs = performance.now() + waitMsMax
      while (!(await this.#has(rows[0]?.place))) {
        if (performance.now() > untilMs) return this.#rest(undefined, lagRestMs)
        await sleep(lookEveryMs)
      }
      return true
    } catch (error) {
      return this.#rest(error, failureRestMs)
    }
  }

  /** Whether every change up to a place was replayed. A server that is no standby says null. */
  async #has(place: string | undefined): Promise<boolean> {
    const { rows } = await this.#db.source.pool.query<{ has: boolean | null }>(
      `/* db.hasChanges */
       select case when pg_is_in_recovery() then pg_last_wal_replay_lsn() >= $1::pg_lsn end as has`,
      [place],
    )
    const { has } = rows[0] ?? {}
    if (has === null) throw new Error('DATABASE_REPLICA_URL is no standby')
    return has === true
  }

  /** Leaves the replica alone for a while, so that not every request waits for it. */
  #rest(error: unknown, ms: number): false {
    const nowMs = performance.now()
    this.#restsUntilMs = nowMs + ms
    if (error === undefined || nowMs - this.#loggedAtMs < logEveryMs) return false
    this.#loggedAtMs = nowMs
    this.#log.warn({ error: errorMessage(error) }, 'the replica is not read for a while')
    return false
  }
}
