import { OrganizationParams, RecordParams, Deleted } from '../../schema/common.ts'
import { PageQuery } from '../../schema/pages.ts'
import { MemberPage, UpdateMember, Member } from '../../resources/members.ts'
import { endpoint } from '../endpoint.ts'

const tag = 'Members'
const collection = '/organizations/:orgId/members'
const one = `${collection}/:id` as const

export const members = {
  list: endpoint({
    id: 'listMembers',
    method: 'GET',
    path: collection,
    role: 'VIEWER',
    scope: 'admin',
    tag,
    summary: 'List the members of the organization, newest first.',
    params: OrganizationParams,
    query: PageQuery,
    status: 200,
    response: MemberPage,
  }),

  update: endpoint({
    id: 'updateMember',
    method: 'PUT',
    path: one,
    role: 'ADMIN',
    scope: 'admin',
    tag,
    summary: 'Change the role of a member.',
    description:
      'The keys that the member created never act above the new role. The last ADMIN must stay ADMIN.',
    params: RecordParams,
    body: UpdateMember,
    status: 200,
    response: Member,
    errors: [409],
  }),

  remove: endpoint({
    id: 'removeMember',
    call: 'members.remove',
    method: 'DELETE',
    path: one,
    role: 'ADMIN',
    scope: 'admin',
    tag,
    summary: 'Remove a member from the organization.',
    description:
      'The account stays; the API keys that it created here are revoked. The last ADMIN cannot be removed.',
    params: RecordParams,
    status: 200,
    response: Deleted,
    errors: [409],
  }),
}
