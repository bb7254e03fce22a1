import { accountLog } from '@everscan/contract/endpoints/accounts/account-log.ts'
import { type AccountEntry } from '@everscan/contract/resources/account-log.ts'
import { paginationOf } from '@everscan/contract/schema/pages.ts'
import { listAccountLog, type AccountEntryRow } from '../../catalogue/accounts/account-log.ts'
import { timestamp } from '../../product/records/timestamps.ts'
import { handler } from '../http/handler.ts'
import { pageOf } from '../http/pages.ts'

export const list = handler(accountLog.list, {
  handle: async ({ db }, { userId }, { query }) => {
    const page = pageOf(query)
    const { rows, total } = await listAccountLog(db, userId, page)
    return { data: rows.map(accountEntry), pagination: paginationOf(total, page) }
  },
})

function accountEntry({ createdAtMs, lastAtMs, ...row }: AccountEntryRow): AccountEntry {
  return { ...row, createdAt: timestamp(createdAtMs), lastAt: timestamp(lastAtMs) }
}
