import { limits } from '../../schema/limits.ts'
import { PageQuery } from '../../schema/pages.ts'
import { AccountLogPage } from '../../resources/account-log.ts'
import { endpoint } from '../endpoint.ts'

export const accountLog = {
  list: endpoint({
    id: 'listAccountLog',
    call: 'me.accountLog',
    method: 'GET',
    path: '/users/me/account-log',
    role: 'session',
    tag: 'Signing in',
    summary: 'List what happened to the signed-in account, and what others tried, newest first.',
    description: `Sign-ins, failed attempts, changes of password, second factor and sessions, and dry runs of archives. Only the owner of the account sees it. Entries are kept for ${limits.accountLogDays} days; of each kind (sign-ins, changes, dry runs, attempts) at most the newest ${Object.values(limits.accountLogEntriesMax).join(', ')}.`,
    query: PageQuery,
    status: 200,
    response: AccountLogPage,
  }),
}
