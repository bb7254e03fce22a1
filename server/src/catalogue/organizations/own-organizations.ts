import { problem } from '@everscan/contract/problems/problem.ts'
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
    await requireRoomForOrganization(tx, user.id)
    const organization = await createOrganization(tx, { name, nowMs })
    await join(tx, organization.id, { user, origin, nowMs })
    return organization
  })
}

/**
 * Makes an account the first ADMIN of an organization that exists already. Throws ApiError 409 as
 * `createOwnOrganization` does.
 */
export async function addOwner(
  tx: Database,
  organizationId: string,
  joining: { user: { id: string; name: string }; origin: ChangeOrigin; nowMs: number },
): Promise<void> {
  await lockName(tx, `organizations of ${joining.user.id}`)
  await requireRoomForOrganization(tx, joining.user.id)
  await join(tx, organizationId, joining)
}

/** Throws ApiError 409 CONFLICT if the account is ADMIN of `limits.ownOrganizationsMax`. */
export async function requireRoomForOrganization(db: Database, userId: string): Promise<void> {
  const administered = (await listOrganizationsOfUser(db, userId)).filter(({ role }) => role === 'ADMIN')
  if (administered.length >= limits.ownOrganizationsMax)
    throw new ApiError(
      409,
      'CONFLICT',
      problem('ownOrganizationsFull', { max: limits.ownOrganizationsMax, count: administered.length }),
    )
}

async function join(
  tx: Database,
  organizationId: string,
  { user, origin, nowMs }: { user: { id: string; name: string }; origin: ChangeOrigin; nowMs: number },
): Promise<void> {
  await saveMember(tx, organizationId, { userId: user.id, role: 'ADMIN', nowMs })
  await recordAudit(tx, organizationId, [{ action: 'member.join', target: user, origin, nowMs }])
}
