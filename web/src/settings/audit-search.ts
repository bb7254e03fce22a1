import { auditActions, type AuditAction } from '@everscan/contract/resources/audit-log.ts'
import { readPage, readWord } from '../ui/page-search.ts'

/** Search parameters of the audit log. Defaults: all actions, by all actors. */
export type AuditSearch = {
  page?: number | undefined
  action?: AuditAction | undefined
  /** Id of a member or a key. */
  actor?: string | undefined
}

export function readAuditSearch(search: Record<string, unknown>): AuditSearch {
  const actor = search['actor']
  return {
    page: readPage(search),
    action: readWord(search['action'], auditActions),
    actor: typeof actor === 'string' && /^(usr|key)_[0-9a-z]{26}$/.test(actor) ? actor : undefined,
  }
}
