import { limits } from '../../schema/limits.ts'
import { OrganizationParams } from '../../schema/common.ts'
import { ListAuditLogQuery, AuditLogPage } from '../../resources/audit-log.ts'
import { endpoint } from '../endpoint.ts'

export const auditLog = {
  list: endpoint({
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
  }),
}
