import { limits } from '@everscan/contract/schema/limits.ts'
import { inTransaction, lockName, type Database } from '../../db/database.ts'
import { ApiError } from '../../errors.ts'
import { recordAudit } from '../ledger/audit-log.ts'
import type { ChangeOrigin } from '../rows/change-origins.ts'
import { createOrganization, listOrganizationsOfUser, type OrganizationRow } from './organizations.ts'
import { saveMember } from '../accounts/users.ts'

/**
 * Creates an organization with this account as its first ADMIN. Throws ApiError 409 CONFLICT if the
 * account is already ADMIN of `limits.ownOrganizationsMax`.
 */
export async function createOwnOrganization(
  db: Database,
  user: { id: string; name: string },
  { name, origin, nowMs }: { name: string; origin: ChangeOrigin; nowMs: number },
): Promise<OrganizationRow> {
  return inTransaction(db, async (tx) => {
    await lockName(tx, `organizations of ${user.id}`)
    const administered = (await listOrganizationsOfUser(tx, user.id)).filter(({ role }) => role === 'ADMIN')
    if (administered.length >= limits.ownOrganizationsMax)
      throw new ApiError(
        409,
        'CONFLICT',
        `You can be ADMIN of at most ${limits.ownOrganizationsMax} organizations, and you already are in ${administered.length}. Leave one first.`,
      )
    const organization = await createOrganization(tx, { name, nowMs })
    await saveMember(tx, organization.id, { userId: user.id, role: 'ADMIN', nowMs })
    await recordAudit(tx, organization.id, [{ action: 'member.join', target: user, origin, nowMs }])
    return organization
  })
}
