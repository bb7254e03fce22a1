import type { AuditEntry, AuditLogPage, ListAuditLogQuery } from '@everscan/contract/resources/audit-log.ts'
import { iterate } from './iterate.ts'
import { pathOf, readJson, type CallOptions, type Send } from './send.ts'

/** The changes in an organization and their actors. The calls need a key with role ADMIN. */
export type AuditLog = ReturnType<typeof auditLogCalls>

export function auditLogCalls(send: Send) {
  async function list(
    orgId: string,
    query: ListAuditLogQuery = {},
    options?: CallOptions,
  ): Promise<AuditLogPage> {
    const path = pathOf`/organizations/${orgId}/audit-log`
    return readJson(await send({ method: 'GET', path, query, idempotent: true, options }))
  }

  return {
    /** Returns a page of changes, newest first. */
    list,

    /** Yields every change, page by page, newest first. */
    iterate(
      orgId: string,
      query: Omit<ListAuditLogQuery, 'page'> = {},
      options?: CallOptions,
    ): AsyncGenerator<AuditEntry, void, undefined> {
      return iterate(({ page, limit }) => list(orgId, { limit, ...query, page }, options))
    },
  }
}
