import { Deleted, OrganizationParams, RecordParams } from '@everscan/contract/schema/common.ts'
import { Member, MemberPage, UpdateMember } from '@everscan/contract/resources/members.ts'
import { PageQuery, paginationOf } from '@everscan/contract/schema/pages.ts'
import { listMembers, removeMember, updateMember } from '../../catalogue/organizations/members.ts'
import { endpoint } from '../http/endpoint.ts'
import { pageOf } from '../http/pages.ts'
import { notFound } from '../../request-errors.ts'
import { memberRecord } from '../../product/records/member-records.ts'

const tag = 'Members'
const collection = '/organizations/:orgId/members'
const one = `${collection}/:id` as const

export const list = endpoint({
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
  handle: async ({ db }, { role, sessionId }, { params, query }) => {
    const page = pageOf(query)
    const { rows, total } = await listMembers(db, params.orgId, page)
    const data = rows.map(({ twoFactor, ...row }) => ({
      ...memberRecord(row),
      // A stolen key must not tell which accounts are easier to take.
      ...(role === 'ADMIN' && sessionId !== undefined && { twoFactor }),
    }))
    return { data, pagination: paginationOf(total, page) }
  },
})

export const put = endpoint({
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
  handle: async ({ db, clock }, { origin }, { params, body }) => {
    const key = { organizationId: params.orgId, userId: params.id }
    // Only an ADMIN gets here, so no requested role is above the caller's.
    const row = await updateMember(db, key, { role: body.role, origin, nowMs: clock() })
    if (row === undefined) throw notFound()
    return memberRecord(row)
  },
})

export const remove = endpoint({
  id: 'removeMember',
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
  handle: async ({ db, clock }, { origin }, { params }) => {
    const key = { organizationId: params.orgId, userId: params.id }
    const row = await removeMember(db, key, { origin, nowMs: clock() })
    if (row === undefined) throw notFound()
    return { id: row.id, deleted: true as const }
  },
})
