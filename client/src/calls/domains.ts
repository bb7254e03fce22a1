// `npm run generate` writes this file from the table of endpoints.
import type {
  CreateDomain,
  DeleteDomainQuery,
  Domain,
  DomainPage,
  UpdateDomain,
} from '@everscan/contract/domains/domains.ts'
import type { PageQuery } from '@everscan/contract/schema/pages.ts'
import type { Deleted } from '@everscan/contract/schema/common.ts'
import type { FormerCodePage } from '@everscan/contract/domains/former-codes.ts'
import { once, type CreateOptions, type Service } from '../calling.ts'
import { iterate } from '../iterate.ts'
import { pathOf, readJson, type CallOptions } from '../send.ts'

export function domainsOf({ send }: Service) {
  const calls = {
    /**
     * Add a domain. It is PENDING until the TXT record in `verification` is found. At most 100 for
     * each organization, 20 of them not proved.
     */
    async create(orgId: string, body: CreateDomain, options?: CreateOptions): Promise<Domain> {
      const path = pathOf`/organizations/${orgId}/domains`
      return readJson(await send({ method: 'POST', path, body, ...once(options), options }))
    },

    /** List the domains of the organization, newest first. */
    async list(orgId: string, query: PageQuery = {}, options?: CallOptions): Promise<DomainPage> {
      const path = pathOf`/organizations/${orgId}/domains`
      return readJson(await send({ method: 'GET', path, query, idempotent: true, options }))
    },

    /**
     * Yields every record of the list, page by page. If records are deleted meanwhile, it may skip
     * others: collect them first, then delete.
     */
    iterate(orgId: string, options?: CallOptions): AsyncGenerator<Domain, void, undefined> {
      return iterate(({ page, limit }) => calls.list(orgId, { limit, page }, options))
    },

    /** Read a domain. */
    async read(orgId: string, id: string, options?: CallOptions): Promise<Domain> {
      const path = pathOf`/organizations/${orgId}/domains/${id}`
      return readJson(await send({ method: 'GET', path, idempotent: true, options }))
    },

    /**
     * Update a domain. Partial; null removes an address. The host name cannot change, and `codes`
     * only before the first code was created on it (409).
     */
    async update(orgId: string, id: string, body: UpdateDomain, options?: CallOptions): Promise<Domain> {
      const path = pathOf`/organizations/${orgId}/domains/${id}`
      return readJson(await send({ method: 'PUT', path, body, idempotent: true, options }))
    },

    /**
     * Look for the proof of a domain now. Asks the DNS, which takes up to some seconds. The service
     * looks by itself once a day.
     */
    async check(orgId: string, id: string, options?: CallOptions): Promise<Domain> {
      const path = pathOf`/organizations/${orgId}/domains/${id}/check`
      return readJson(await send({ method: 'POST', path, idempotent: true, options }))
    },

    /**
     * Delete a domain. Its host name answers nothing from then on, and its short codes are never
     * assigned again on it. With active codes on it, or codes that wait for its proof, the response
     * is 409 unless `codes=archive`.
     */
    async delete(
      orgId: string,
      id: string,
      query: DeleteDomainQuery = {},
      options?: CallOptions,
    ): Promise<Deleted> {
      const path = pathOf`/organizations/${orgId}/domains/${id}`
      return readJson(await send({ method: 'DELETE', path, query, idempotent: true, options }))
    },

    /**
     * List what codes of former owners still do on a domain, newest first. Active codes that other
     * organizations printed on the host name before this one proved it. A domain that is not proved
     * has none.
     */
    async formerCodes(
      orgId: string,
      id: string,
      query: PageQuery = {},
      options?: CallOptions,
    ): Promise<FormerCodePage> {
      const path = pathOf`/organizations/${orgId}/domains/${id}/former-codes`
      return readJson(await send({ method: 'GET', path, query, idempotent: true, options }))
    },

    /**
     * Give notice to former owners of a domain. Codes of former owners on the host name answer 410
     * in 90 days. Until then, nobody can change them. The administrators of these organizations are
     * told by mail. A notice that was given keeps its end.
     */
    async giveNotice(orgId: string, id: string, options?: CallOptions): Promise<Domain> {
      const path = pathOf`/organizations/${orgId}/domains/${id}/notice`
      return readJson(await send({ method: 'POST', path, idempotent: true, options }))
    },

    /**
     * Withdraw a notice to former owners of a domain before its end. Their codes go on answering,
     * and can be changed again. 409 if no notice is open.
     */
    async withdrawNotice(orgId: string, id: string, options?: CallOptions): Promise<Domain> {
      const path = pathOf`/organizations/${orgId}/domains/${id}/notice`
      return readJson(await send({ method: 'DELETE', path, idempotent: false, options }))
    },
  }
  return calls
}
