import { inTransaction, tag, type Database } from '../../db/database.ts'
import { revokeApiKeysOf } from './api-keys.ts'
import type { ChangeOrigin } from '../rows/change-origins.ts'
import { removeMember } from './members.ts'
import { listOrganizationsOfUser } from './organizations.ts'
import { lockAccount } from '../accounts/users.ts'

/**
 * Deletes an account with its sessions, password and second factor. Removes it from its
 * organizations and revokes the keys that it created. Returns false if the account does not exist.
 * Throws ApiError 409 CONFLICT if the account is the last ADMIN of an organization.
 */
export async function deleteUser(
  db: Database,
  userId: string,
  { origin, nowMs }: { origin: ChangeOrigin; nowMs: number },
): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    await lockAccount(tx, userId)
    for (const { id } of await listOrganizationsOfUser(tx, userId))
      await removeMember(tx, { organizationId: id, userId }, { origin, nowMs })
    // A key counts as revoked while its creator is not a member, but not without a creator.
    // Deleting the account would therefore revive keys that an older release did not revoke.
    for (const organizationId of await organizationsWithKeysOf(tx, userId))
      await revokeApiKeysOf(tx, { organizationId, userId }, { origin, nowMs })
    const { numDeletedRows } = await tx.kysely
      .deleteFrom('users')
      .where('id', '=', userId)
      .modifyEnd(tag('catalogue.deleteUser'))
      .executeTakeFirst()
    return numDeletedRows > 0n
  })
}

async function organizationsWithKeysOf(tx: Database, userId: string): Promise<string[]> {
  const rows = await tx.kysely
    .selectFrom('api_keys')
    .select('organization_id as id')
    .distinct()
    .where('user_id', '=', userId)
    .where('revoked_at_ms', 'is', null)
    .orderBy('organization_id')
    .modifyEnd(tag('catalogue.organizationsWithKeysOf'))
    .execute()
  return rows.map(({ id }) => id)
}
