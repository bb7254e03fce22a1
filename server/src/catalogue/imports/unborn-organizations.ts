import { sql } from 'kysely'
import type { Database } from '../../db/database.ts'

/**
 * Deletes an organization that was created for the lines of an archive whose import never started:
 * nobody is or was a member, nothing ever happened in it, and it has no other content. Does nothing
 * with any other organization.
 */
export async function discardUnbornOrganization(db: Database, id: string): Promise<void> {
  const hasNone = ['members', 'api_keys', 'audit_log', 'jobs', 'short_codes', 'invitations'].map(
    (table) =>
      sql`not exists (select 1 from ${sql.table(table)} as t where t.organization_id = organizations.id)`,
  )
  await sql`/* catalogue.discardUnbornOrganization */
    delete from organizations
    where id = ${id} and operator = 0 and demo is null and ${sql.join(hasNone, sql` and `)}`.execute(
    db.kysely,
  )
}
