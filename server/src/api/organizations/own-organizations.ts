import { ownOrganizations } from '@everscan/contract/endpoints/organizations/own-organizations.ts'
import { type Role } from '@everscan/contract/schema/common.ts'
import type { Organization } from '@everscan/contract/resources/organizations.ts'
import { problem } from '@everscan/contract/problems/problem.ts'
import { removeMember } from '../../catalogue/organizations/members.ts'
import {
  listOrganizationsOfUser,
  readOrganization,
  type OrganizationRow,
} from '../../catalogue/organizations/organizations.ts'
import { createOwnOrganization } from '../../catalogue/organizations/own-organizations.ts'
import type { Database } from '../../db/database.ts'
import { ApiError } from '../../errors.ts'
import { handler } from '../http/handler.ts'
import type { AnyCaller } from '../../catalogue/organizations/callers.ts'

export const list = handler(ownOrganizations.list, {
  handle: async ({ db }, caller) => ({
    organizations: (await organizationsOf(db, caller)).map(organizationRecord),
  }),
})

export const create = handler(ownOrganizations.create, {
  handle: async ({ db, clock }, { userId, userName, origin }, { body }) => {
    const user = { id: userId, name: userName }
    const made = await createOwnOrganization(db, user, { name: body.name, origin, nowMs: clock() })
    return organizationRecord({ ...made, role: 'ADMIN' })
  },
})

export const leave = handler(ownOrganizations.leave, {
  handle: async ({ db, clock }, { userId, origin }, { params }) => {
    const key = { organizationId: params.id, userId }
    const left = await removeMember(db, key, { origin, nowMs: clock() })
    if (left === undefined) throw new ApiError(404, 'NOT_FOUND', problem('noSuchMembership'))
    return { id: params.id, left: true as const }
  },
})

async function organizationsOf(
  db: Database,
  caller: AnyCaller,
): Promise<(OrganizationRow & { role: Role })[]> {
  if (!('organizationId' in caller)) return listOrganizationsOfUser(db, caller.userId)
  const organization = await readOrganization(db, caller.organizationId)
  return organization === undefined ? [] : [{ ...organization, role: caller.role }]
}

/** Returns what callers see of an organization, without its settings. */
export function organizationRecord(row: OrganizationRow & { role: Role }): Organization {
  const { id, name, slug, role, twoFactorRequired, isDemo } = row
  return {
    id,
    name,
    slug,
    role,
    ...(twoFactorRequired && { twoFactorRequired }),
    ...(isDemo && { demo: isDemo }),
  }
}
