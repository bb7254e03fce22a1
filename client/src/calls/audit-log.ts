// `npm run generate` writes this file from the table of endpoints.
import type { AuditEntry, AuditLogPage, ListAuditLogQuery } from '@everscan/contract/resources/audit-log.ts'
import type { Service } from '../calling.ts'
import { iterate } from '../iterate.ts'
import { pathOf, readJson, type CallOptions } from '../send.ts'

export function auditLogOf({ send }: Service) {
  const calls = {
    /**
     * List who changed what, when and from where, newest first. One entry for each change of a code
     * (including each one in a batch), folder, key, member or invitation, one for an entire import,
     * and one for each call of a tool over MCP. Entries cannot be changed or deleted, and contain
     * no IP address; those of calls over MCP are kept for 90 days. Dates are in UTC.
     */
    async list(orgId: string, query: ListAuditLogQuery = {}, options?: CallOptions): Promise<AuditLogPage> {
      const path = pathOf`/organizations/${orgId}/audit-log`
      return readJson(await send({ method: 'GET', path, query, idempotent: true, options }))
    },

    /**
     * Yields every record of the list, page by page. If records are deleted meanwhile, it may skip
     * others: collect them first, then delete.
     */
    iterate(
      orgId: string,
      query: Omit<ListAuditLogQuery, 'page'> = {},
      options?: CallOptions,
    ): AsyncGenerator<AuditEntry, void, undefined> {
      return iterate(({ page, limit }) => calls.list(orgId, { limit, ...query, page }, options))
    },
  }
  return calls
}
