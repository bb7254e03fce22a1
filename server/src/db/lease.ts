import { sql, type RawBuilder, type SelectQueryBuilder, type SqlBool, type Updateable } from 'kysely'
import { forNoKeyUpdateSkipLocked, inTransaction, type Database } from './database.ts'
import { rowsAsTable } from './dialects/row-sets.ts'
import type { Tables } from './tables.ts'

// One of several workers, on any machine, holds a piece of work until it ends its lease, or until
// the lease ends by itself because the worker died. The number of the lease changes when a worker
// claims the piece and when the lease ends, so a worker holds the piece as long as it knows the
// number. A renewal or a result that comes late, after another worker has claimed the piece or
// somebody has cancelled it, finds another number and changes nothing. A lease that is over, and
// that nobody has claimed since, can still be renewed and ended.

type Lease = {
  table: keyof Tables
  /** The columns that identify a piece, by their names in claims. */
  key: Readonly<Record<string, string>>
  number: string
  /** Null: no worker holds the piece. */
  until: string
  /** Counts how often the piece was claimed since its last progress. */
  attempts?: string
}

const own = { number: 'lease_number', until: 'lease_until_ms' } as const
const ofOrganization = { organizationId: 'organization_id', id: 'id' } as const
const ofMail = {
  number: 'mail_lease_number',
  until: 'mail_lease_until_ms',
  attempts: 'mail_attempts',
} as const

/** Everything that one worker at a time does. */
export const leases = {
  job: { table: 'jobs', key: ofOrganization, ...own, attempts: 'attempts' },
  delivery: { table: 'webhook_deliveries', key: ofOrganization, ...own },
  viewMail: { table: 'views', key: ofOrganization, ...ofMail },
  certificateOrder: {
    table: 'certificates',
    key: { hostname: 'hostname' },
    number: 'lease_number',
    until: 'leased_until_ms',
  },
  certificateMail: { table: 'certificates', key: { hostname: 'hostname' }, ...ofMail },
  noticeMail: {
    table: 'domains',
    key: { organizationId: 'organization_id', domainId: 'id' },
    number: 'notice_mail_lease_number',
    until: 'notice_mail_lease_until_ms',
    attempts: 'notice_mail_attempts',
  },
  copy: { table: 'copies', key: { id: 'id' }, ...own },
  choreTurn: { table: 'chore_turns', key: { name: 'name' }, ...own },
} as const satisfies Readonly<Record<string, Lease>>

/** From when on a lease lasts, and how long. */
export type LeaseTerms = {
  /** Of this process, or of the database: see `databaseNowMs`. */
  nowMs: number | RawBuilder<number>
  leaseMs: number
}

type Key<L extends Lease> = Readonly<Record<keyof L['key'] & string, string>>

/** A piece that a worker holds as long as its lease has this number. */
export type Held<L extends Lease> = Key<L> & { readonly leaseNumber: number }

export type Claimed<L extends Lease> = Held<L> &
  (L extends { attempts: string } ? { readonly attempts: number } : unknown)

type Columns<L extends Lease> = Updateable<Tables[L['table']]>
type Changes<L extends Lease> = { [C in keyof Columns<L>]?: Columns<L>[C] | RawBuilder<unknown> }

/** Another worker has the piece now, or it was cancelled: nothing of the transaction may stay. */
export class LeaseLost extends Error {}

type ClaimOptions<L extends Lease, DB, TB extends keyof DB, Row> = LeaseTerms & {
  /**
   * Selects the pieces that are due, in the order to claim them, with the columns of their key. The
   * table must have its own name in it.
   */
  find: (db: Database) => SelectQueryBuilder<DB, TB, Row>
  /** Returns changes of a claimed piece: the same columns for each. */
  set?: (row: Row) => { [C in keyof Columns<L>]?: Columns<L>[C] }
  /** Pieces whose lease has not ended, but whose worker is known to be dead. */
  orWhen?: RawBuilder<SqlBool>
  /** By default one. */
  limit?: number
}

/**
 * Claims pieces that are due and that no other worker holds. Two workers never claim the same one,
 * and none waits for the other.
 */
export async function claimDue<L extends Lease, DB, TB extends keyof DB, Row extends Key<L>>(
  db: Database,
  lease: L,
  { find, set, orWhen = sql<SqlBool>`false`, limit = 1, ...terms }: ClaimOptions<L, DB, TB, Row>,
): Promise<(Row & Claimed<L>)[]> {
  const { table, key, number, until, attempts } = lease as Lease
  const column = (name: string) => sql.ref(`${table}.${name}`)
  const counted = attempts === undefined ? [] : [attempts]
  const due = (from: Database) =>
    find(from)
      .select(sql<number>`${column(number)}`.as('leaseNumber'))
      .select(counted.map((name) => sql<number>`${column(name)}`.as('attempts')))
      .where(sql<SqlBool>`(${isFree(column(until), terms)} or ${orWhen})`)
  // Looks first: most of the time nothing is due, and on SQLite a transaction takes the lock for
  // nothing.
  if (!db.kysely.isTransaction && (await due(db).limit(1).executeTakeFirst()) === undefined) return []
  return inTransaction(db, async (tx) => {
    const found = due(tx).limit(limit).modifyEnd(forNoKeyUpdateSkipLocked(tx, table))
    const rows = (await found.execute()) as (Row & Claimed<L> & { attempts: number })[]
    const [first] = rows
    if (first === undefined) return []
    const keys = Object.entries(key)
    const changed = rows.map((row) => ({
      ...Object.fromEntries(keys.map(([name, of]) => [of, row[name as keyof Row]])),
      ...set?.(row),
    }))
    const changes = [
      sql`${sql.ref(until)} = ${leaseEnd(terms)}`,
      ...[number, ...counted].map((name) => sql`${sql.ref(name)} = ${column(name)} + 1`),
      ...Object.keys(set?.(first) ?? {}).map((name) => sql`${sql.ref(name)} = ${sql.ref(`r.${name}`)}`),
    ]
    const isRow = keys.map(([, of]) => sql`${column(of)} = ${sql.ref(`r.${of}`)}`)
    await sql`/* db.claim ${sql.raw(table)} */
      update ${sql.table(table)}
      set ${sql.join(changes)}
      from ${rowsAsTable(tx, lease.table, changed)}
      where ${sql.join(isRow, sql` and `)}`.execute(tx.kysely)
    return rows.map((row) => ({
      ...row,
      leaseNumber: row.leaseNumber + 1,
      ...(attempts !== undefined && { attempts: row.attempts + 1 }),
    }))
  })
}

/**
 * Changes a piece that a worker holds. Without changes, it only locks the piece until the end of
 * the transaction. Throws `LeaseLost`.
 */
export async function updateHeld<L extends Lease>(
  db: Database,
  lease: L,
  held: Held<L>,
  changes: Changes<L> = {},
): Promise<void> {
  if (await updateIfHeld(db, lease, held, changes)) return
  throw new LeaseLost(`another worker holds what this one had of ${lease.table}, or none does`)
}

/** As `updateHeld`, but returns false if the worker does not hold the piece any more. */
export async function updateIfHeld<L extends Lease>(
  db: Database,
  { table, key, number }: L,
  held: Held<L>,
  changes: Changes<L>,
): Promise<boolean> {
  const columns = Object.entries<unknown>({ [number]: held.leaseNumber, ...changes })
  const isHeld = [
    ...Object.entries(key).map(([name, of]) => sql`${sql.ref(of)} = ${held[name as keyof Key<L>]}`),
    sql`${sql.ref(number)} = ${held.leaseNumber}`,
  ]
  const { numAffectedRows } = await sql`/* db.updateHeld ${sql.raw(table)} */
    update ${sql.table(table)}
    set ${sql.join(columns.map(([column, value]) => sql`${sql.ref(column)} = ${value}`))}
    where ${sql.join(isHeld, sql` and `)}`.execute(db.kysely)
  return numAffectedRows === 1n
}

/** The columns with which a worker keeps a piece for longer. */
export function renewed<Until extends string>(
  lease: { until: Until },
  terms: LeaseTerms,
): Record<Until, RawBuilder<number>> {
  return { [lease.until]: leaseEnd(terms) } as Record<Until, RawBuilder<number>>
}

/** The columns with which a lease ends: when a piece is done, waits again, or is cancelled. */
export function ended<Number extends string, Until extends string>(lease: {
  number: Number
  until: Until
}): Record<Number, RawBuilder<number>> & Record<Until, null> {
  const next = sql<number>`${sql.ref(lease.number)} + 1`
  return { [lease.number]: next, [lease.until]: null } as Record<Number, typeof next> & Record<Until, null>
}

/** Whether a worker holds a piece, or is dead since less than the length of a lease. */
export function isLeased(untilMs: number | null, { nowMs, leaseMs }: LeaseTerms & { nowMs: number }) {
  return untilMs !== null && untilMs > nowMs && untilMs <= nowMs + 2 * leaseMs
}

/** A lease longer than any that is given came from a clock that has since been set back. */
function isFree(until: RawBuilder<unknown>, { nowMs, leaseMs }: LeaseTerms): RawBuilder<SqlBool> {
  const longest = leaseEnd({ nowMs, leaseMs: 2 * leaseMs })
  return sql`(${until} is null or ${until} <= ${nowMs} or ${until} > ${longest})`
}

/** Returns when a lease ends by itself. */
export function leaseEnd({ nowMs, leaseMs }: LeaseTerms): RawBuilder<number> {
  return typeof nowMs === 'number' ? sql`${nowMs + leaseMs}` : sql`${nowMs} + ${sql.lit(leaseMs)}`
}
