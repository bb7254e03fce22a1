import { auditLog } from '@everscan/contract/endpoints/organizations/audit-log.ts'
import { type AuditEntry } from '@everscan/contract/resources/audit-log.ts'
import { paginationOf } from '@everscan/contract/schema/pages.ts'
import { readPeriod } from '../../analytics/figures/period.ts'
import { listAuditLog, type AuditRow } from '../../catalogue/ledger/audit-log.ts'
import { handler } from '../http/handler.ts'
import { pageOf } from '../http/pages.ts'
import { timestamp } from '../../product/records/timestamps.ts'

/** The first and the last date of the default period. */
const firstDate = '1970-01-01'
const lastDate = '2099-12-31'

export const list = handler(auditLog.list, {
  handle: async ({ db }, _caller, { params, query }) => {
    const page = pageOf(query)
    const { action, actorId, targetId, startDate = firstDate, endDate = lastDate } = query
    const { startMs, endMs } = readPeriod({ startDate, endDate })
    const filters = { action, actorId, targetId, startMs, endMs }
    const { rows, total } = await listAuditLog(db, params.orgId, { ...filters, ...page })
    return { data: rows.map(auditEntry), pagination: paginationOf(total, page) }
  },
})

function auditEntry({ id, action, target, fields, origin, createdAtMs }: AuditRow): AuditEntry {
  const { actor, ...from } = origin
  const [kind = ''] = action.split('.')
  return {
    id,
    action,
    actor,
    target: { kind, ...target },
    fields: [...fields],
    origin: from,
    createdAt: timestamp(createdAtMs),
  }
}
