import {
  MyOrganizations,
  CreateOrganization,
  Organization,
  LeftOrganization,
} from '../../resources/organizations.ts'
import { limits } from '../../schema/limits.ts'
import { AccountRecordParams } from '../../schema/common.ts'
import { endpoint } from '../endpoint.ts'

const tag = 'Organizations'

export const ownOrganizations = {
  list: endpoint({
    id: 'listMyOrganizations',
    call: 'organizations.listMine',
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
  }),

  create: endpoint({
    id: 'createOrganization',
    call: 'organizations.create',
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
  }),

  leave: endpoint({
    id: 'leaveOrganization',
    call: 'me.leaveOrganization',
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
  }),
}
