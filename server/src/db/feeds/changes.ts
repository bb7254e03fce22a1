import { sql } from 'kysely'
import type pg from 'pg'
import type { Database } from '../database.ts'
import { toCatalogueError, toPostgresError } from '../errors.ts'
import { queryPlanned } from '../dialects/postgres.ts'
import { textsAsTable } from '../dialects/row-sets.ts'
import { openSqliteConnection } from '../dialects/sqlite.ts'

/** Stands in a feed's answer for every code: the feed cannot say which changed, so a cache forgets all. */
export const everyCode = '*'

/** Stands in a feed's answer for what an organization shows on the pages of all its codes. No code begins like it. */
export function everyPageOf(organizationId: string): string {
  return `${everyCode}${organizationId}`
}

/** The organization that an entry of a feed's answer stands for; `undefined`: it is a code. */
export function changedOrganization(entry: string): string | undefined {
  return entry.startsWith(everyCode) && entry !== everyCode ? entry.slice(everyCode.length) : undefined
}

/** How long a look at the changes may block a redirect while another process holds the file. */
const busyTimeoutMs = 250

/**
 * Says that codes changed (made, updated, archived, deleted), or all pages of an organization (`everyPageOf`), in the
 * transaction that changes them and after the rows themselves are written. The table keeps the last change of each, so it never
 * needs trimming and no reader can come too late.
 */
export async function recordChanges(tx: Database, canonicalCodes: readonly string[]): Promise<void> {
  const version =
    tx.dialect === 'sqlite'
      ? sql<number>`(select coalesce(max(version), 0) + 1 from changes)`
      : sql<number>`pg_current_xact_id()`
  // In one order everywhere, so that two transactions cannot wait for each other.
  const codes = [...new Set(canonicalCodes)].sort()
  await sql`/* db.recordChanges */
    insert into changes (canonical_code, version)
    select value, ${version} from ${textsAsTable(tx, codes)} where true
    on conflict (canonical_code) do update set version = excluded.version`.execute(tx.kysely)
}

/**
 * What a cache of codes follows. Each answer holds the canonical codes whose change was committed since the answer before, or `everyCode`.
 * Throws `CatalogueUnavailable`; the next call then catches up.
 *
 * A lookup that was begun before an answer and ends after it may have read the old row: forget it or look again.
 */
export type ChangeFeed = {
  /** SQLite only: at once, in 2 µs when nothing was committed. */
  poll?: () => readonly string[]
  /** What was committed before the call is in this answer or in an earlier one. The first answer on PostgreSQL is `everyCode`. */
  catchUp: () => Promise<readonly string[]>
  close: () => Promise<void>
}

/** Opens a feed of the changes from now on, with a connection of its own on SQLite. */
export function openChangeFeed(db: Database): ChangeFeed {
  return db.source.dialect === 'sqlite' ? openSqliteFeed(db.source.file) : openPostgresFeed(db.source.pool)
}

function openSqliteFeed(file: string): ChangeFeed {
  const connection = openSqliteConnection(file, { busyTimeoutMs, readOnly: true })
  const dataVersion = connection.prepare<[], number>('pragma data_version').pluck()
  const lastVersion = connection.prepare<[], number>('select coalesce(max(version), 0) from changes').pluck()
  // As one text, in well under half the time of a row for each: redirects wait while a file of codes comes in.
  const since = connection.prepare<[number], { codes: string | null; version: number | null }>(
    '/* db.changes */ select group_concat(canonical_code, char(10)) as codes, max(version) as version from changes where version > ?',
  )
  let seenData = dataVersion.get()
  let seen = lastVersion.get() ?? 0

  function poll(): readonly string[] {
    try {
      // `data_version` moves when another connection commits anything: https://sqlite.org/pragma.html#pragma_data_version
      const data = dataVersion.get()
      if (data === seenData) return []
      const changed = since.get(seen)
      seen = changed?.version ?? seen
      // Last: when the read fails, the next poll must read again.
      seenData = data
      return changed?.codes?.split('\n') ?? []
    } catch (error) {
      throw toCatalogueError(error)
    }
  }

  return {
    poll,
    catchUp: async () => poll(),
    close: async () => {
      connection.close()
    },
  }
}

/** Another one when the database was dropped and made again, or the table was: by a dump that was put back. */
const tableIdentity = `(select oid from pg_database where datname = current_database()) || ':' || 'changes'::regclass::oid`

/**
 * Transactions commit out of order, so "rows after the last one seen" would miss those that began earlier and committed later. Instead each
 * answer remembers PostgreSQL's own snapshot, and the next one takes exactly the rows whose transaction that snapshot did not
 * see and this one does (rows of a restored copy can name transactions that this server hasn't reached):
 * https://www.postgresql.org/docs/current/functions-info.html#FUNCTIONS-INFO-SNAPSHOT
 */
const postgresChanges = `/* db.changes */
  select
    pg_current_snapshot()::text as snapshot,
    ${tableIdentity} as identity,
    array(
      select canonical_code
      from changes
      where version >= pg_snapshot_xmin($1::pg_snapshot)
      and version < pg_snapshot_xmax(pg_current_snapshot())
      and not pg_visible_in_snapshot(version, $1::pg_snapshot)
      and pg_visible_in_snapshot(version, pg_current_snapshot())
    ) as codes`

function openPostgresFeed(pool: pg.Pool): ChangeFeed {
  let seen: string | undefined
  let seenIdentity: string | undefined
  let running: Promise<readonly string[]> | undefined
  let next: Promise<readonly string[]> | undefined

  async function read(): Promise<readonly string[]> {
    try {
      if (seen === undefined) {
        const { rows } = await pool.query<{ snapshot: string; identity: string }>(
          `/* db.changes */ select pg_current_snapshot()::text as snapshot, ${tableIdentity} as identity`,
        )
        seen = rows[0]?.snapshot
        seenIdentity = rows[0]?.identity
        return [everyCode]
      }
      const [row] = await queryPlanned<{ snapshot: string; identity: string | undefined; codes: string[] }>(
        pool,
        {
          name: 'everscan-changes',
          text: postgresChanges,
          values: [seen],
        },
      )
      const { snapshot, identity, codes } = row ?? { snapshot: seen, identity: seenIdentity, codes: [] }
      // Transaction numbers only grow. When they fell, this is another server: restored from a copy, or a replica that lagged.
      const restored = nextTransaction(snapshot) < nextTransaction(seen) || identity !== seenIdentity
      seen = snapshot
      seenIdentity = identity
      return restored ? [everyCode] : codes
    } catch (error) {
      throw toPostgresError(error)
    }
  }

  function start(): Promise<readonly string[]> {
    running = read().finally(() => {
      running = undefined
    })
    return running
  }

  return {
    // One read at a time, as each continues the one before. A call during a read needs the read after it:
    // the one that runs may have looked before the caller's change was committed.
    catchUp: () => {
      if (running === undefined) return start()
      next ??= running
        .catch(() => [])
        .then(() => {
          next = undefined
          return start()
        })
      return next
    },
    close: async () => {
      await running?.catch(() => [])
    },
  }
}

/** A snapshot's text is `xmin:xmax:running`; xmax is the first number not yet given to a transaction. */
function nextTransaction(snapshot: string): bigint {
  return BigInt(snapshot.split(':')[1] ?? '0')
}
