import { Deleted, AccountRecordParams } from '@everscan/contract/schema/common.ts'
import { PageQuery, paginationOf } from '@everscan/contract/schema/pages.ts'
import { EndedSessions, SessionPage } from '@everscan/contract/resources/sessions.ts'
import { endOtherSessions, endSession, listSessions } from '../../catalogue/accounts/sessions.ts'
import { ApiError } from '../../errors.ts'
import { endpoint } from '../http/endpoint.ts'
import { accountSource } from '../../product/accounts/request-sources.ts'
import { pageOf } from '../http/pages.ts'
import { reportOutcome } from '../../product/accounts/account-outcomes.ts'
import { sessionRecord } from './sign-in.ts'

const tag = 'Signing in'
const collection = '/users/me/sessions'

export const list = endpoint({
  id: 'listSessions',
  method: 'GET',
  path: collection,
  role: 'session',
  tag,
  summary: 'List the sessions of the signed-in account, newest first.',
  query: PageQuery,
  status: 200,
  response: SessionPage,
  handle: async ({ db, clock }, { userId, sessionId }, { query }) => {
    const page = pageOf(query)
    const { rows, total } = await listSessions(db, userId, { ...page, nowMs: clock() })
    return { data: rows.map((row) => sessionRecord(row, sessionId)), pagination: paginationOf(total, page) }
  },
})

export const end = endpoint({
  id: 'endSession',
  method: 'DELETE',
  path: `${collection}/:id`,
  role: 'session',
  tag,
  summary: 'End a session of the signed-in account.',
  description: 'The session is rejected from its next request on.',
  params: AccountRecordParams,
  status: 200,
  response: Deleted,
  handle: async (context, { userId }, request) => {
    const { params } = request
    const from = { source: accountSource(request), nowMs: context.clock() }
    if (!(await endSession(context.db, { userId, id: params.id }, from)))
      throw new ApiError(404, 'NOT_FOUND', 'Your account has no session with this id.')
    reportOutcome(context, request, { accountId: userId, action: 'session.end' })
    return { id: params.id, deleted: true as const }
  },
})

export const endOthers = endpoint({
  id: 'endOtherSessions',
  method: 'DELETE',
  path: collection,
  role: 'session',
  tag,
  summary: 'End all other sessions of the signed-in account.',
  status: 200,
  response: EndedSessions,
  handle: async (context, { userId, sessionId }, request) => {
    const from = { source: accountSource(request), nowMs: context.clock() }
    const ended = await endOtherSessions(context.db, { userId, sessionId }, from)
    if (ended > 0) reportOutcome(context, request, { accountId: userId, action: 'session.end-others' })
    return { ended }
  },
})
