import { Domain } from '@everscan/contract/domains/domains.ts'
import { FormerCodePage } from '@everscan/contract/domains/former-codes.ts'
import { RecordParams } from '@everscan/contract/schema/common.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import { PageQuery, paginationOf } from '@everscan/contract/schema/pages.ts'
import { giveNotice, withdrawNotice } from '../../catalogue/domains/domain-notices.ts'
import { readDomain } from '../../catalogue/domains/domains.ts'
import { listFormerCodes } from '../../catalogue/domains/former-codes.ts'
import { shortUrlOf } from '../../product/records/qr-code-records.ts'
import { timestamp } from '../../product/records/timestamps.ts'
import type { ChangeOrigin } from '../../catalogue/rows/change-origins.ts'
import type { ApiContext } from '../http/api-context.ts'
import { endpoint } from '../http/endpoint.ts'
import { pageOf } from '../http/pages.ts'
import { notFound } from '../../request-errors.ts'
import { recordAlone } from './domains.ts'

const shared = { tag: 'Domains', params: RecordParams, status: 200 } as const
const changes = { ...shared, role: 'ADMIN', scope: 'admin' } as const
const one = '/organizations/:orgId/domains/:id'

export const formerCodes = endpoint({
  ...shared,
  role: 'VIEWER',
  scope: 'codes:read',
  id: 'listFormerCodes',
  method: 'GET',
  path: `${one}/former-codes`,
  summary: 'List what codes of former owners still do on a domain, newest first.',
  description:
    'Active codes that other organizations printed on the host name before this one proved it. A domain that is not proved has none.',
  query: PageQuery,
  response: FormerCodePage,
  handle: async ({ db, config, clock }, _caller, { params, query }) => {
    const row = await readDomain(db, { organizationId: params.orgId, id: params.id })
    if (row === undefined) throw notFound()
    const page = pageOf(query)
    const { rows, total } = await listFormerCodes(db, row, { ...page, nowMs: clock() })
    const data = rows.map(({ type, destinations, endsAtMs, createdAtMs, ...code }) => ({
      shortUrl: shortUrlOf(code, config.publicUrl),
      type,
      destinations: [...destinations],
      endsAt: endsAtMs === null ? null : timestamp(endsAtMs),
      createdAt: timestamp(createdAtMs),
    }))
    return { data, pagination: paginationOf(total, page) }
  },
})

export const give = endpoint({
  ...changes,
  id: 'giveDomainNotice',
  method: 'POST',
  path: `${one}/notice`,
  summary: 'Give notice to former owners of a domain.',
  description: `Codes of former owners on the host name answer 410 in ${limits.domainNoticeDays} days. Until then, nobody can change them. The administrators of these organizations are told by mail. A notice that was given keeps its end.`,
  response: Domain,
  errors: [409],
  handle: async (context, { origin }, { params }) => {
    const key = { organizationId: params.orgId, id: params.id }
    return recordAlone(context, await giveNotice(context.db, key, changeOf(context, origin)))
  },
})

export const withdraw = endpoint({
  ...changes,
  id: 'withdrawDomainNotice',
  method: 'DELETE',
  path: `${one}/notice`,
  summary: 'Withdraw a notice to former owners of a domain before its end.',
  description: 'Their codes go on answering, and can be changed again. 409 if no notice is open.',
  response: Domain,
  errors: [409],
  handle: async (context, { origin }, { params }) => {
    const key = { organizationId: params.orgId, id: params.id }
    return recordAlone(context, await withdrawNotice(context.db, key, changeOf(context, origin)))
  },
})

function changeOf({ clock, accounts }: ApiContext, origin: ChangeOrigin) {
  return { origin, nowMs: clock(), isMailed: accounts.mailer !== undefined }
}
