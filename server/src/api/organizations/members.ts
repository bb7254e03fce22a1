import { members } from '@everscan/contract/endpoints/organizations/members.ts'
import { paginationOf } from '@everscan/contract/schema/pages.ts'
import { listMembers, removeMember, updateMember } from '../../catalogue/organizations/members.ts'
import { handler } from '../http/handler.ts'
import { pageOf } from '../http/pages.ts'
import { notFound } from '../../request-errors.ts'
import { memberRecord } from '../../product/records/member-records.ts'

export const list = handler(members.list, {
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

export const update = handler(members.update, {
  handle: async ({ db, clock }, { origin }, { params, body }) => {
    const key = { organizationId: params.orgId, userId: params.id }
    // Only an ADMIN gets here, so no requested role is above the caller's.
    const row = await updateMember(db, key, { role: body.role, origin, nowMs: clock() })
    if (row === undefined) throw notFound()
    return memberRecord(row)
  },
})

export const remove = handler(members.remove, {
  handle: async ({ db, clock }, { origin }, { params }) => {
    const key = { organizationId: params.orgId, userId: params.id }
    const row = await removeMember(db, key, { origin, nowMs: clock() })
    if (row === undefined) throw notFound()
    return { id: row.id, deleted: true as const }
  },
})
