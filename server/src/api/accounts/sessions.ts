import { sessions } from '@everscan/contract/endpoints/accounts/sessions.ts'
import { paginationOf } from '@everscan/contract/schema/pages.ts'
import { problem } from '@everscan/contract/problems/problem.ts'
import { endOtherSessions, endSession, listSessions } from '../../catalogue/accounts/sessions.ts'
import { ApiError } from '../../errors.ts'
import { handler } from '../http/handler.ts'
import { accountSource } from '../../product/accounts/request-sources.ts'
import { pageOf } from '../http/pages.ts'
import { reportOutcome } from '../../product/accounts/account-outcomes.ts'
import { sessionRecord } from './sign-in.ts'

export const list = handler(sessions.list, {
  handle: async ({ db, clock }, { userId, sessionId }, { query }) => {
    const page = pageOf(query)
    const { rows, total } = await listSessions(db, userId, { ...page, nowMs: clock() })
    return { data: rows.map((row) => sessionRecord(row, sessionId)), pagination: paginationOf(total, page) }
  },
})

export const end = handler(sessions.end, {
  handle: async (context, { userId }, request) => {
    const { params } = request
    const from = { source: accountSource(request), nowMs: context.clock() }
    if (!(await endSession(context.db, { userId, id: params.id }, from)))
      throw new ApiError(404, 'NOT_FOUND', problem('noSuchSession'))
    reportOutcome(context, request, { accountId: userId, action: 'session.end' })
    return { id: params.id, deleted: true as const }
  },
})

export const endOthers = handler(sessions.endOthers, {
  handle: async (context, { userId, sessionId }, request) => {
    const from = { source: accountSource(request), nowMs: context.clock() }
    const ended = await endOtherSessions(context.db, { userId, sessionId }, from)
    if (ended > 0) reportOutcome(context, request, { accountId: userId, action: 'session.end-others' })
    return { ended }
  },
})
