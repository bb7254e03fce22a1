import { sql, type RawBuilder } from 'kysely'
import { inTransaction, tag, type Database } from '../../db/database.ts'
import { databaseNowMs } from '../../db/dialects/database-clock.ts'
import { leaseEnd } from '../../db/lease.ts'

/** A member that has not renewed for this long may use its share without asking. */
export const silentMs = 10_000
/** Waits of an hour are the longest that attempts are remembered. */
const attemptsKeptMs = 3_600_000
const countsKeptMs = 180_000

/**
 * Renews the lease of a member. Returns how many members there are, and the time of the database.
 */
export async function renewMember(
  db: Database,
  name: string,
  { leaseMs }: { leaseMs: number },
): Promise<{ members: number; nowMs: number }> {
  const now = databaseNowMs(db)
  const others = sql<number>`(
    select count(*) + 1 from limit_members where name <> ${name} and lease_until_ms > ${now})`
  const { members, renewed_at_ms: nowMs } = await db.kysely
    .insertInto('limit_members')
    .values({
      name,
      members: others,
      renewed_at_ms: now,
      lease_until_ms: leaseEnd({ nowMs: now, leaseMs }),
    })
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet((row) => ({
        members: row.ref('excluded.members'),
        renewed_at_ms: row.ref('excluded.renewed_at_ms'),
        lease_until_ms: row.ref('excluded.lease_until_ms'),
      })),
    )
    .returning(['members', 'renewed_at_ms'])
    .modifyEnd(tag('catalogue.renewMember'))
    .executeTakeFirstOrThrow()
  return { members, nowMs }
}

/** A member begins or ends: it holds no places, and at its end no share either. */
export async function leaveMembers(db: Database, name: string): Promise<void> {
  await inTransaction(db, async (tx) => {
    await tx.kysely
      .deleteFrom('limit_places')
      .where('member', '=', name)
      .modifyEnd(tag('catalogue.leaveMembers'))
      .execute()
    await tx.kysely
      .deleteFrom('limit_members')
      .where('name', '=', name)
      .modifyEnd(tag('catalogue.leaveMembers'))
      .execute()
  })
}

/** The part of a limit that silent members may use without asking, until their leases end. */
export function silentShares(db: Database, limit: RawBuilder<number>): RawBuilder<number> {
  const now = databaseNowMs(db)
  return sql<number>`(
    select coalesce(sum(${limit} / members), 0)
    from limit_members
    where renewed_at_ms <= ${now} - ${sql.lit(silentMs)} and lease_until_ms > ${now})`
}

/** Deletes what counts no more: old minutes and attempts, and places of members that are gone. */
export async function sweepLimits(db: Database): Promise<void> {
  const now = databaseNowMs(db)
  await sql`/* catalogue.sweepLimits */
    delete from limit_counts where window_ms < ${now} - ${sql.lit(countsKeptMs)}`.execute(db.kysely)
  await sql`/* catalogue.sweepLimits */
    delete from limit_attempts where at_ms < ${now} - ${sql.lit(attemptsKeptMs)}`.execute(db.kysely)
  await sql`/* catalogue.sweepLimits */
    delete from limit_paces where paid_until_ms < ${now}`.execute(db.kysely)
  await sql`/* catalogue.sweepLimits */
    delete from limit_places
    where member not in (select name from limit_members where lease_until_ms > ${now})`.execute(db.kysely)
  await sql`/* catalogue.sweepLimits */
    delete from limit_members where lease_until_ms < ${now} - ${sql.lit(countsKeptMs)}`.execute(db.kysely)
}

const limitTables = [
  'limit_members',
  'limit_counts',
  'limit_attempts',
  'limit_paces',
  'limit_places',
] as const

/** Deletes what members have counted. */
export async function forgetLimits(db: Database): Promise<void> {
  for (const table of limitTables)
    await db.kysely.deleteFrom(table).modifyEnd(tag('catalogue.forgetLimits')).execute()
}
