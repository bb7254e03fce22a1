import { PageQuery } from '../../schema/pages.ts'
import { SessionPage, EndedSessions } from '../../resources/sessions.ts'
import { AccountRecordParams, Deleted } from '../../schema/common.ts'
import { endpoint } from '../endpoint.ts'

const tag = 'Signing in'
const collection = '/users/me/sessions'

export const sessions = {
  list: endpoint({
    id: 'listSessions',
    call: 'me.sessions',
    method: 'GET',
    path: collection,
    role: 'session',
    tag,
    summary: 'List the sessions of the signed-in account, newest first.',
    query: PageQuery,
    status: 200,
    response: SessionPage,
  }),

  end: endpoint({
    id: 'endSession',
    call: 'me.endSession',
    method: 'DELETE',
    path: `${collection}/:id`,
    role: 'session',
    tag,
    summary: 'End a session of the signed-in account.',
    description: 'The session is rejected from its next request on.',
    params: AccountRecordParams,
    status: 200,
    response: Deleted,
  }),

  endOthers: endpoint({
    id: 'endOtherSessions',
    call: 'me.endOtherSessions',
    method: 'DELETE',
    path: collection,
    role: 'session',
    tag,
    summary: 'End all other sessions of the signed-in account.',
    status: 200,
    response: EndedSessions,
  }),
}
