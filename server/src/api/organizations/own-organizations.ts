import { AccountRecordParams, type Role } from '@everscan/contract/schema/common.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import {
  CreateOrganization,
  LeftOrganization,
  MyOrganizations,
  Organization,
} from '@everscan/contract/resources/organizations.ts'
import { removeMember } from '../../catalogue/organizations/members.ts'
import {
  listOrganizationsOfUser,
  readOrganization,
  type OrganizationRow,
} from '../../catalogue/organizations/organizations.ts'
import { createOwnOrganization } from '../../catalogue/organizations/own-organizations.ts'
import type { Database } from '../../db/database.ts'
import { ApiError } from '../../errors.ts'
import { endpoint } from '../http/endpoint.ts'
import type { AnyCaller } from '../../catalogue/organizations/callers.ts'

const tag = 'Organizations'

export const list = endpoint({
  id: 'listMyOrganizations',
  method: 'GET',
  path: '/users/me/organizations',
  role: 'anyCaller',
  scope: 'anyScope',
  tag,
  summary: 'List the organizations of the caller.',
  description:
    'An API key has exactly one organization, a session all those of its account. `id` is the `:orgId` in other paths.',
  status: 200,
  response: MyOrganizations,
  handle: async ({ db }, caller) => ({
    organizations: (await organizationsOf(db, caller)).map(organizationRecord),
  }),
})

export const create = endpoint({
  id: 'createOrganization',
  method: 'POST',
  path: '/organizations',
  role: 'session',
  tag,
  summary: 'Create an organization.',
  description: `The caller becomes its first ADMIN. 409 if the caller is already ADMIN of ${limits.ownOrganizationsMax} organizations.`,
  body: CreateOrganization,
  status: 201,
  response: Organization,
  errors: [409],
  handle: async ({ db, clock }, { userId, userName, origin }, { body }) => {
    const user = { id: userId, name: userName }
    const made = await createOwnOrganization(db, user, { name: body.name, origin, nowMs: clock() })
    return organizationRecord({ ...made, role: 'ADMIN' })
  },
})

export const leave = endpoint({
  id: 'leaveOrganization',
  method: 'DELETE',
  path: '/users/me/organizations/:id',
  role: 'session',
  tag,
  summary: 'Leave an organization.',
  description: 'The API keys that the account created there are revoked. 409 for the last ADMIN.',
  params: AccountRecordParams,
  status: 200,
  response: LeftOrganization,
  errors: [409],
  handle: async ({ db, clock }, { userId, origin }, { params }) => {
    const key = { organizationId: params.id, userId }
    const left = await removeMember(db, key, { origin, nowMs: clock() })
    if (left === undefined)
      throw new ApiError(404, 'NOT_FOUND', 'You are not a member of an organization with this id.')
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
