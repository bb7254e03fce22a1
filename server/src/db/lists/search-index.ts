import { sql, type RawBuilder } from 'kysely'
import type { Database } from '../database.ts'

/**
 * Returns whether the search columns of all codes of an organization are up to date. They are,
 * except for a time after an update of the service (migration 0031).
 */
export async function isSearchIndexed(db: Database, organizationId: string): Promise<boolean> {
  return (await firstUnindexed(db, sql`organization_id = ${organizationId}`)) === undefined
}

/** Returns an organization with a code whose search columns are out of date. */
export async function findUnindexedOrganization(db: Database): Promise<string | undefined> {
  return firstUnindexed(db, sql`true`)
}

async function firstUnindexed(db: Database, condition: RawBuilder<unknown>): Promise<string | undefined> {
  const index = sql.raw(db.dialect === 'sqlite' ? 'indexed by qr_codes_unindexed' : '')
  const { rows } = await sql<{ organizationId: string }>`/* db.firstUnindexed */
    select organization_id as "organizationId"
    from qr_codes ${index}
    where ${condition} and search_version <> version
    limit 1`.execute(db.kysely)
  return rows[0]?.organizationId
}
