import { type AuditEntry, AuditLogPage, ListAuditLogQuery } from '@everscan/contract/resources/audit-log.ts'
import { OrganizationParams } from '@everscan/contract/schema/common.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import { paginationOf } from '@everscan/contract/schema/pages.ts'
import { readPeriod } from '../../analytics/figures/period.ts'
import { listAuditLog, type AuditRow } from '../../catalogue/ledger/audit-log.ts'
import { endpoint } from '../http/endpoint.ts'
import { pageOf } from '../http/pages.ts'
import { timestamp } from '../../product/records/timestamps.ts'

/** The first and the last date of the default period. */
const firstDate = '1970-01-01'
const lastDate = '2099-12-31'

export const list = endpoint({
  id: 'listAuditLog',
  method: 'GET',
  path: '/organizations/:orgId/audit-log',
  role: 'ADMIN',
  scope: 'admin',
  tag: 'Audit log',
  summary: 'List who changed what, when and from where, newest first.',
  description: `One entry for each change of a code (including each one in a batch), folder, key, member or invitation, one for an entire import, and one for each call of a tool over MCP. Entries cannot be changed or deleted, and contain no IP address; those of calls over MCP are kept for ${limits.mcpCallDays} days. Dates are in UTC.`,
  params: OrganizationParams,
  query: ListAuditLogQuery,
  readsMuch: true,
  status: 200,
  response: AuditLogPage,
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
