import { everyPageOf, recordChanges } from '../../db/feeds/changes.ts'
import { tag, type Database } from '../../db/database.ts'
import { recordAudit } from '../ledger/audit-log.ts'
import type { ChangeOrigin } from '../rows/change-origins.ts'
import { addOwner } from './own-organizations.ts'
import { createOrganization, type OrganizationRow } from './organizations.ts'

/** Creates the organization of an archive, without members. It keeps its slug if that is free. */
export async function createArchivedOrganization(
  db: Database,
  { id, slug, name, createdAtMs }: Pick<OrganizationRow, 'id' | 'slug' | 'name' | 'createdAtMs'>,
): Promise<OrganizationRow> {
  return createOrganization(db, { name, id, slug, nowMs: createdAtMs })
}

/**
 * Gives an organization the name and logo that the pages of the archive show, and a new one its
 * first ADMIN. Throws ApiError 409 CONFLICT if the account is ADMIN of too many.
 */
export async function showArchivedOrganization(
  tx: Database,
  id: string,
  {
    publicName,
    logo,
    owner,
    origin,
    nowMs,
  }: Pick<OrganizationRow, 'publicName' | 'logo'> & {
    owner: { id: string; name: string } | undefined
    origin: ChangeOrigin
    nowMs: number
  },
): Promise<void> {
  if (owner !== undefined) await addOwner(tx, id, { user: owner, origin, nowMs })
  if (publicName === null && logo === null) return
  await tx.kysely
    .updateTable('organizations')
    .set({ public_name: publicName, logo: logo === null ? null : JSON.stringify(logo) })
    .where('id', '=', id)
    .modifyEnd(tag('catalogue.showArchivedOrganization'))
    .execute()
  await recordChanges(tx, [everyPageOf(id)])
  const organization = await tx.kysely
    .selectFrom('organizations')
    .select('name')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const target = { id, name: organization.name }
  const fields = ['publicName', 'logo']
  await recordAudit(tx, id, [{ action: 'organization.update', target, fields, origin, nowMs }])
}
