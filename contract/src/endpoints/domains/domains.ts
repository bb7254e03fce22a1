import { limits } from '../../schema/limits.ts'
import { OrganizationParams, RecordParams, Deleted } from '../../schema/common.ts'
import { CreateDomain, Domain, DomainPage, UpdateDomain, DeleteDomainQuery } from '../../domains/domains.ts'
import { PageQuery } from '../../schema/pages.ts'
import { endpoint } from '../endpoint.ts'
import { idempotencyKey, replayed, location } from '../headers.ts'

const tag = 'Domains'
const collection = '/organizations/:orgId/domains'
const one = `${collection}/:id` as const

export const domains = {
  create: endpoint({
    id: 'createDomain',
    method: 'POST',
    path: collection,
    role: 'ADMIN',
    scope: 'admin',
    tag,
    summary: 'Add a domain.',
    description: `It is PENDING until the TXT record in \`verification\` is found. At most ${limits.domainsMax} for each organization, ${limits.pendingDomainsMax} of them not proved.`,
    params: OrganizationParams,
    body: CreateDomain,
    idempotent: true,
    requestHeaders: idempotencyKey,
    status: 201,
    response: Domain,
    responseHeaders: {
      ...location,
      ...replayed,
    },
    errors: [409],
  }),

  list: endpoint({
    id: 'listDomains',
    method: 'GET',
    path: collection,
    role: 'VIEWER',
    scope: 'codes:read',
    tag,
    summary: 'List the domains of the organization, newest first.',
    params: OrganizationParams,
    query: PageQuery,
    tellsOfWork: true,
    status: 200,
    response: DomainPage,
  }),

  read: endpoint({
    id: 'readDomain',
    method: 'GET',
    path: one,
    role: 'VIEWER',
    scope: 'codes:read',
    tag,
    summary: 'Read a domain.',
    params: RecordParams,
    tellsOfWork: true,
    status: 200,
    response: Domain,
  }),

  update: endpoint({
    id: 'updateDomain',
    method: 'PUT',
    path: one,
    role: 'ADMIN',
    scope: 'admin',
    tag,
    summary: 'Update a domain.',
    description:
      'Partial; null removes an address. The host name cannot change, and `codes` only before the first code was created on it (409).',
    params: RecordParams,
    body: UpdateDomain,
    status: 200,
    response: Domain,
    errors: [409],
  }),

  check: endpoint({
    id: 'checkDomain',
    method: 'POST',
    repeatable: true,
    path: `${one}/check`,
    role: 'ADMIN',
    scope: 'admin',
    tag,
    summary: 'Look for the proof of a domain now.',
    description: 'Asks the DNS, which takes up to some seconds. The service looks by itself once a day.',
    params: RecordParams,
    status: 200,
    response: Domain,
  }),

  remove: endpoint({
    id: 'deleteDomain',
    method: 'DELETE',
    path: one,
    role: 'ADMIN',
    scope: 'admin',
    tag,
    summary: 'Delete a domain.',
    description:
      'Its host name answers nothing from then on, and its short codes are never assigned again on it. With active codes on it, or codes that wait for its proof, the response is 409 unless `codes=archive`.',
    params: RecordParams,
    query: DeleteDomainQuery,
    status: 200,
    response: Deleted,
    errors: [409],
  }),
}
