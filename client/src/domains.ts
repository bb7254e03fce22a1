import type { Deleted } from '@everscan/contract/schema/common.ts'
import type { PageQuery } from '@everscan/contract/schema/pages.ts'
import type {
  CreateDomain,
  DeleteDomainQuery,
  Domain,
  DomainPage,
  UpdateDomain,
} from '@everscan/contract/domains/domains.ts'
import type { FormerCodePage } from '@everscan/contract/domains/former-codes.ts'
import type { CreateOptions } from './qr-codes.ts'
import { pathOf, readJson, type CallOptions, type Send } from './send.ts'

/** The domains of an organization. */
export type Domains = ReturnType<typeof domainCalls>

export function domainCalls(send: Send) {
  async function list(orgId: string, query: PageQuery = {}, options?: CallOptions): Promise<DomainPage> {
    const path = pathOf`/organizations/${orgId}/domains`
    return readJson(await send({ method: 'GET', path, query, idempotent: true, options }))
  }

  return {
    /** Adds a domain. It is PENDING until its TXT record (`verification`) is found. */
    async create(orgId: string, body: CreateDomain, options?: CreateOptions): Promise<Domain> {
      const key = options?.idempotencyKey
      const path = pathOf`/organizations/${orgId}/domains`
      const headers = { 'idempotency-key': key }
      return readJson(
        await send({ method: 'POST', path, body, headers, idempotent: key !== undefined, options }),
      )
    },

    /** Returns a domain. */
    async read(orgId: string, id: string, options?: CallOptions): Promise<Domain> {
      const path = pathOf`/organizations/${orgId}/domains/${id}`
      return readJson(await send({ method: 'GET', path, idempotent: true, options }))
    },

    /** Returns a page of domains, newest first. */
    list,

    /** Yields every domain, page by page, newest first. */
    async *iterate(orgId: string, options?: CallOptions): AsyncGenerator<Domain, void, undefined> {
      for (let page = 1; ; page++) {
        const { data, pagination } = await list(orgId, { limit: 100, page }, options)
        yield* data
        if (!pagination.hasNext) return
      }
    },

    /** Changes a domain; null removes an address. */
    async update(orgId: string, id: string, body: UpdateDomain, options?: CallOptions): Promise<Domain> {
      const path = pathOf`/organizations/${orgId}/domains/${id}`
      return readJson(await send({ method: 'PUT', path, body, idempotent: true, options }))
    },

    /** Looks for the proof of a domain in the DNS now, which takes up to some seconds. */
    async check(orgId: string, id: string, options?: CallOptions): Promise<Domain> {
      const path = pathOf`/organizations/${orgId}/domains/${id}/check`
      return readJson(await send({ method: 'POST', path, idempotent: true, options }))
    },

    /** Returns a page of active codes that former owners have on the host name, newest first. */
    async formerCodes(
      orgId: string,
      id: string,
      query: PageQuery = {},
      options?: CallOptions,
    ): Promise<FormerCodePage> {
      const path = pathOf`/organizations/${orgId}/domains/${id}/former-codes`
      return readJson(await send({ method: 'GET', path, query, idempotent: true, options }))
    },

    /** Gives notice to former owners: their codes on the host name end in 90 days. */
    async giveNotice(orgId: string, id: string, options?: CallOptions): Promise<Domain> {
      const path = pathOf`/organizations/${orgId}/domains/${id}/notice`
      return readJson(await send({ method: 'POST', path, idempotent: true, options }))
    },

    /** Withdraws a notice before its end. */
    async withdrawNotice(orgId: string, id: string, options?: CallOptions): Promise<Domain> {
      const path = pathOf`/organizations/${orgId}/domains/${id}/notice`
      return readJson(await send({ method: 'DELETE', path, idempotent: false, options }))
    },

    /** Deletes a domain. With active codes on it, `codes: 'archive'` archives them first. */
    async delete(
      orgId: string,
      id: string,
      query: DeleteDomainQuery = {},
      options?: CallOptions,
    ): Promise<Deleted> {
      const path = pathOf`/organizations/${orgId}/domains/${id}`
      return readJson(await send({ method: 'DELETE', path, query, idempotent: true, options }))
    },
  }
}
