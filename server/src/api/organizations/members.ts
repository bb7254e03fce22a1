import { Deleted, OrganizationParams, RecordParams } from '@everscan/contract/schema/common.ts'
import { Member, MemberPage, UpdateMember } from '@everscan/contract/resources/members.ts'
import { PageQuery, paginationOf } from '@everscan/contract/schema/pages.ts'
import { listMembers, removeMember, updateMember } from '../../catalogue/organizations/members.ts'
import { endpoint } from '../http/endpoint.ts'
import { pageOf } from '../http/pages.ts'
import { notFound } from '../http/request-errors.ts'
import { memberRecord } from '../../records/member-records.ts'

const tag = 'Members'
const collection = '/organizations/:orgId/members'
const one = `${collection}/:id` as const

export const list = endpoint({
  id: 'listMembers',
  method: 'GET',
  path: collection,
  role: 'VIEWER',
  tag,
  summary: 'The members of the organization, newest first.',
  params: OrganizationParams,
  query: PageQuery,
  status: 200,
  response: MemberPage,
  handle: async ({ db }, _caller, { params, query }) => {
    const page = pageOf(query)
    const { rows, total } = await listMembers(db, params.orgId, page)
    return { data: rows.map(memberRecord), pagination: paginationOf(total, page) }
  },
})

export const put = endpoint({
  id: 'updateMember',
  method: 'PUT',
  path: one,
  role: 'ADMIN',
  tag,
  summary: 'Give a member another role.',
  description:
    'Keys that the member made act with it from then on, never above it. The last ADMIN stays one.',
  params: RecordParams,
  body: UpdateMember,
  status: 200,
  response: Member,
  errors: [409],
  handle: async ({ db, clock }, { origin }, { params, body }) => {
    const key = { organizationId: params.orgId, userId: params.id }
    // Only an ADMIN comes here, so no role that is asked for is above the caller's.
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
  tag,
  summary: 'Take a member out of the organization.',
  description: 'The account stays; the API keys that it made here are revoked. The last ADMIN stays.',
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
