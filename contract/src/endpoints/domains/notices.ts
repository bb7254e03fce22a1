import { PageQuery } from '../../schema/pages.ts'
import { FormerCodePage } from '../../domains/former-codes.ts'
import { limits } from '../../schema/limits.ts'
import { Domain } from '../../domains/domains.ts'
import { RecordParams } from '../../schema/common.ts'
import { endpoint } from '../endpoint.ts'

const shared = { tag: 'Domains', params: RecordParams, status: 200 } as const
const changes = { ...shared, role: 'ADMIN', scope: 'admin' } as const
const one = '/organizations/:orgId/domains/:id'

export const notices = {
  formerCodes: endpoint({
    ...shared,
    role: 'VIEWER',
    scope: 'codes:read',
    id: 'listFormerCodes',
    call: 'domains.formerCodes',
    method: 'GET',
    path: `${one}/former-codes`,
    summary: 'List what codes of former owners still do on a domain, newest first.',
    description:
      'Active codes that other organizations printed on the host name before this one proved it. A domain that is not proved has none.',
    query: PageQuery,
    response: FormerCodePage,
  }),

  give: endpoint({
    ...changes,
    id: 'giveDomainNotice',
    call: 'domains.giveNotice',
    method: 'POST',
    repeatable: true,
    path: `${one}/notice`,
    summary: 'Give notice to former owners of a domain.',
    description: `Codes of former owners on the host name answer 410 in ${limits.domainNoticeDays} days. Until then, nobody can change them. The administrators of these organizations are told by mail. A notice that was given keeps its end.`,
    response: Domain,
    errors: [409],
  }),

  withdraw: endpoint({
    ...changes,
    id: 'withdrawDomainNotice',
    call: 'domains.withdrawNotice',
    method: 'DELETE',
    repeatable: false,
    path: `${one}/notice`,
    summary: 'Withdraw a notice to former owners of a domain before its end.',
    description: 'Their codes go on answering, and can be changed again. 409 if no notice is open.',
    response: Domain,
    errors: [409],
  }),
}
