import { AccountLogPage, type AccountEntry } from '@everscan/contract/resources/account-log.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import { PageQuery, paginationOf } from '@everscan/contract/schema/pages.ts'
import { listAccountLog, type AccountEntryRow } from '../../catalogue/accounts/account-log.ts'
import { timestamp } from '../../product/records/timestamps.ts'
import { endpoint } from '../http/endpoint.ts'
import { pageOf } from '../http/pages.ts'

export const list = endpoint({
  id: 'listAccountLog',
  method: 'GET',
  path: '/users/me/account-log',
  role: 'session',
  tag: 'Signing in',
  summary: 'List what happened to the signed-in account, and what others tried, newest first.',
  description: `Sign-ins, failed attempts, changes of password, second factor and sessions, and dry runs of archives. Only the owner of the account sees it. Entries are kept for ${limits.accountLogDays} days; of each kind (sign-ins, changes, dry runs, attempts) at most the newest ${Object.values(limits.accountLogEntriesMax).join(', ')}.`,
  query: PageQuery,
  status: 200,
  response: AccountLogPage,
  handle: async ({ db }, { userId }, { query }) => {
    const page = pageOf(query)
    const { rows, total } = await listAccountLog(db, userId, page)
    return { data: rows.map(accountEntry), pagination: paginationOf(total, page) }
  },
})

function accountEntry({ createdAtMs, lastAtMs, ...row }: AccountEntryRow): AccountEntry {
  return { ...row, createdAt: timestamp(createdAtMs), lastAt: timestamp(lastAtMs) }
}
