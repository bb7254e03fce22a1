import { sql } from 'kysely'
import type pg from 'pg'
import type { Database } from '../database.ts'
import { toCatalogueError, toPostgresError } from '../errors.ts'
import { queryPlanned } from '../dialects/postgres.ts'
import { textsAsTable } from '../dialects/row-sets.ts'
import { openSqliteConnection } from '../dialects/sqlite.ts'
import { changesChannel, followChanges } from './change-notices.ts'

/**
 * An entry of a feed that stands for every code: the feed cannot tell which changed, so a cache
 * drops everything.
 */
export const everyCode = '*'

/**
 * Returns the entry of a feed for a change of an organization's name or logo on all its pages. No
 * code begins like it.
 */
export function everyPageOf(organizationId: string): string {
  return `${everyCode}${organizationId}`
}

/** Returns the organization of such an entry, or undefined if the entry is a code. */
export function changedOrganization(entry: string): string | undefined {
  return entry.startsWith(everyCode) && entry !== everyCode ? entry.slice(everyCode.length) : undefined
}

/**
 * The entry of a feed that a code has a rule by country: fronts load the table of countries before
 * a scan asks for it. It is recorded once and stays. No code begins like it.
 */
export const countriesNeeded = '!countries'

/** Returns whether a code has, or had, a rule by country. */
export async function areCountriesNeeded(db: Database): Promise<boolean> {
  const { rows } = await sql`/* db.countriesNeeded */
    select 1 from changes where canonical_code = ${countriesNeeded}`.execute(db.kysely)
  return rows.length > 0
}

/** Returns the entry of a feed for a change of a host name. No other entry begins so. */
export function changeOfHost(hostname: string): string {
  return `/${hostname}`
}

/** Returns the host name of such an entry, or undefined for every other. */
export function changedHost(entry: string): string | undefined {
  return entry.startsWith('/') ? entry.slice(1) : undefined
}

/** How long a read of the changes may block a redirect while another process locks the file. */
const busyTimeoutMs = 250

/**
 * Records that codes changed (created, updated, archived, deleted), by their keys, or all pages of
 * an organization (`everyPageOf`), or a host name (`changeOfHost`), or that countries are needed
 * (`countriesNeeded`). Must run in the transaction of
 * the change, after the rows are written. The table stores only the last change of each entry, so
 * it needs no trimming and no reader can be too late.
 */
export async function recordChanges(tx: Database, entries: readonly string[]): Promise<void> {
  const version =
    tx.dialect === 'sqlite'
      ? sql<number>`(select coalesce(max(version), 0) + 1 from changes)`
      : sql<number>`pg_current_xact_id()`
  // Every caller uses this order, so that two transactions cannot deadlock.
  const codes = [...new Set(entries)].sort()
  const insert = sql`insert into changes (canonical_code, version)
    select value, ${version} from ${textsAsTable(tx, codes)} where true
    on conflict (canonical_code) do update set version = excluded.version`
  await sql`/* db.recordChanges */ ${
    tx.dialect === 'sqlite'
      ? insert
      : sql`with recorded as (${insert}) select pg_notify(${changesChannel}, '')`
  }`.execute(tx.kysely)
}

/**
 * Returns the version of the last change. On PostgreSQL a change that began before it and was
 * committed after it leaves it as it was.
 */
export async function readLastChange(db: Database): Promise<number> {
  const { rows } = await sql<{ version: number | string | null }>`/* db.lastChange */
    select max(version) as "version" from changes`.execute(db.kysely)
  return Number(rows[0]?.version ?? 0)
}

/**
 * A feed for caches of codes and hosts. Each result contains the entries whose change was committed
 * since the previous result, or `everyCode`. Throws `CatalogueUnavailable`; the next call then
 * catches up.
 *
 * A lookup that starts before a result and ends after it may have read the old row: discard it or
 * repeat it.
 */
export type ChangeFeed = {
  /** SQLite only: synchronous, takes 2 µs if nothing was committed. */
  poll?: () => readonly string[]
  /**
   * Every change committed before the call is in this result or an earlier one. The first result on
   * PostgreSQL is `everyCode`.
   */
  catchUp: () => Promise<readonly string[]>
  /**
   * PostgreSQL only: calls back soon after a commit with changes, by any machine. A hint: some
   * changes have no notice.
   */
  follow?: (onChange: () => void) => void
  close: () => Promise<void>
}

/** Opens a feed of the changes from now on. On SQLite it has a connection of its own. */
export function openChangeFeed(db: Database): ChangeFeed {
  return db.source.dialect === 'sqlite' ? openSqliteFeed(db.source.file) : openPostgresFeed(db.source)
}

function openSqliteFeed(file: string): ChangeFeed {
  const connection = openSqliteConnection(file, { busyTimeoutMs, readOnly: true })
  const dataVersion = connection.prepare<[], number>('pragma data_version').pluck()
  const lastVersion = connection.prepare<[], number>('select coalesce(max(version), 0) from changes').pluck()
  // One text takes well under half the time of a row per code. Redirects wait for it while a file
  // of codes is imported.
  const since = connection.prepare<[number], { codes: string | null; version: number | null }>(
    '/* db.changes */ select group_concat(canonical_code, char(10)) as codes, max(version) as version from changes where version > ?',
  )
  let seenData = dataVersion.get()
  let seen = lastVersion.get() ?? 0

  function poll(): readonly string[] {
    try {
      // `data_version` changes when another connection commits:
      // https://sqlite.org/pragma.html#pragma_data_version
      const data = dataVersion.get()
      if (data === seenData) return []
      const changed = since.get(seen)
      seen = changed?.version ?? seen
      // Must come last: if the read fails, the next poll must read again.
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

/** Changes when the database or the table is dropped and recreated, such as by restoring a dump. */
const tableIdentity = `(select oid from pg_database where datname = current_database()) || ':' || 'changes'::regclass::oid`

/**
 * Transactions commit out of order, so reading the rows after the last known one would miss
 * transactions that began earlier and committed later. Instead, each result stores PostgreSQL's own
 * snapshot. The next result contains exactly the rows whose transaction the old snapshot did not
 * see and the new one does. Rows of a restored copy can name transactions that this server has not
 * reached. https://www.postgresql.org/docs/current/functions-info.html#FUNCTIONS-INFO-SNAPSHOT
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

function openPostgresFeed({ pool, url }: { pool: pg.Pool; url: string }): ChangeFeed {
  let stopFollowing: (() => Promise<void>) | undefined
  let seen: string | undefined
  let seenIdentity: string | undefined

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
      // Transaction numbers only grow. A lower number means another server: restored from a copy,
      // or a replica that lagged.
      const restored = nextTransaction(snapshot) < nextTransaction(seen) || identity !== seenIdentity
      seen = snapshot
      seenIdentity = identity
      return restored ? [everyCode] : codes
    } catch (error) {
      throw toPostgresError(error)
    }
  }

  const reads = readsInTurn(read)
  return {
    catchUp: reads.next,
    follow: (onChange) => {
      stopFollowing ??= followChanges(url, onChange)
    },
    close: async () => {
      await stopFollowing?.()
      await reads.ended()
    },
  }
}

type Read = () => Promise<readonly string[]>

/**
 * Runs one read at a time, because each continues the previous one. A call during a read needs the
 * next read: the running one may have started before the caller's change was committed.
 */
function readsInTurn(read: Read): { next: Read; ended: () => Promise<unknown> } {
  let running: Promise<readonly string[]> | undefined
  let next: Promise<readonly string[]> | undefined

  const start: Read = () => {
    running = read().finally(() => {
      running = undefined
    })
    return running
  }

  return {
    next: () => {
      if (running === undefined) return start()
      next ??= running
        .catch(() => [])
        .then(() => {
          next = undefined
          return start()
        })
      return next
    },
    ended: async () => running?.catch(() => []),
  }
}

/**
 * The text of a snapshot is `xmin:xmax:running`; xmax is the first number not yet assigned to a
 * transaction.
 */
function nextTransaction(snapshot: string): bigint {
  return BigInt(snapshot.split(':')[1] ?? '0')
}
