import { sql } from 'kysely'
import { inTransaction, lockName, tag, type Database } from '../../db/database.ts'
import { databaseNowMs } from '../../db/dialects/database-clock.ts'
import { insertRows, isOneOf } from '../../db/dialects/row-sets.ts'

/** A place that a request of a member holds. */
export type LimitPlace = {
  id: string
  member: string
  /** Such as `downloads`. */
  kind: string
  /** The key or session. */
  holder: string
  account: string | null
  organizationId: string
}

/** Places that are held on all machines together. */
export type HeldPlaces = { ofHolder: number; ofAccount: number; ofOrganization: number }

/**
 * Takes a place if `allows` says so for the places that are held already. Returns whether it did.
 * Requests of one account or organization take places one after the other, on all machines.
 */
export async function holdPlace(
  db: Database,
  place: LimitPlace,
  allows: (held: HeldPlaces) => boolean,
): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    const { id, member, kind, holder, account, organizationId } = place
    // Accounts first everywhere: two requests never wait for each other.
    if (account !== null) await lockName(tx, `places of ${account}`)
    await lockName(tx, `places of ${organizationId}`)
    const { rows } = await sql<Record<keyof HeldPlaces, number | string>>`/* catalogue.heldPlaces */
      select
        coalesce(sum(case when holder = ${holder} then 1 else 0 end), 0) as "ofHolder",
        coalesce(sum(case when account = ${account ?? ''} then 1 else 0 end), 0) as "ofAccount",
        coalesce(sum(case when organization_id = ${organizationId} then 1 else 0 end), 0) as "ofOrganization"
      from limit_places
      where kind = ${kind}
      and (organization_id = ${organizationId} or account = ${account ?? ''})
      and (member = ${member} or member in (
        select name from limit_members where lease_until_ms > ${databaseNowMs(tx)}))`.execute(tx.kysely)
    const [held] = rows
    const counts = {
      ofHolder: Number(held?.ofHolder),
      ofAccount: Number(held?.ofAccount),
      ofOrganization: Number(held?.ofOrganization),
    }
    if (!allows(counts)) return false
    await tx.kysely
      .insertInto('limit_places')
      .values({ id, member, kind, holder, account, organization_id: organizationId })
      .modifyEnd(tag('catalogue.holdPlace'))
      .execute()
    return true
  })
}

/** Saves places again that others may have given back for this member. */
export async function keepPlaces(db: Database, places: readonly LimitPlace[]): Promise<void> {
  const rows = places.map(({ organizationId, ...place }) => ({ ...place, organization_id: organizationId }))
  await insertRows(db, 'limit_places', { rows, skipTaken: true })
}

/** Gives places back. */
export async function freePlaces(db: Database, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await db.kysely
    .deleteFrom('limit_places')
    .where(isOneOf(db, 'id', ids))
    .modifyEnd(tag('catalogue.freePlaces'))
    .execute()
}
