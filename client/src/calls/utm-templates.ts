// `npm run generate` writes this file from the table of endpoints.
import type {
  CreateUtmTemplate,
  UpdateUtmTemplate,
  UtmTemplate,
  UtmTemplatePage,
} from '@everscan/contract/utm/utm-templates.ts'
import type { PageQuery } from '@everscan/contract/schema/pages.ts'
import type { Deleted } from '@everscan/contract/schema/common.ts'
import { once, type CreateOptions, type Service } from '../calling.ts'
import { iterate } from '../iterate.ts'
import { pathOf, readJson, type CallOptions } from '../send.ts'

export function utmTemplatesOf({ send }: Service) {
  const calls = {
    /**
     * Save UTM parameters under a name. At most 100 for each organization. At least one value is
     * required.
     */
    async create(orgId: string, body: CreateUtmTemplate, options?: CreateOptions): Promise<UtmTemplate> {
      const path = pathOf`/organizations/${orgId}/utm-templates`
      return readJson(await send({ method: 'POST', path, body, ...once(options), options }))
    },

    /** List the UTM templates of the organization, newest first. */
    async list(orgId: string, query: PageQuery = {}, options?: CallOptions): Promise<UtmTemplatePage> {
      const path = pathOf`/organizations/${orgId}/utm-templates`
      return readJson(await send({ method: 'GET', path, query, idempotent: true, options }))
    },

    /**
     * Yields every record of the list, page by page. If records are deleted meanwhile, it may skip
     * others: collect them first, then delete.
     */
    iterate(orgId: string, options?: CallOptions): AsyncGenerator<UtmTemplate, void, undefined> {
      return iterate(({ page, limit }) => calls.list(orgId, { limit, page }, options))
    },

    /** Read a UTM template. */
    async read(orgId: string, id: string, options?: CallOptions): Promise<UtmTemplate> {
      const path = pathOf`/organizations/${orgId}/utm-templates/${id}`
      return readJson(await send({ method: 'GET', path, idempotent: true, options }))
    },

    /** Update a UTM template. Partial; null removes a value. Codes keep their destinations. */
    async update(
      orgId: string,
      id: string,
      body: UpdateUtmTemplate,
      options?: CallOptions,
    ): Promise<UtmTemplate> {
      const path = pathOf`/organizations/${orgId}/utm-templates/${id}`
      return readJson(await send({ method: 'PUT', path, body, idempotent: true, options }))
    },

    /** Delete a UTM template. Codes keep their destinations. */
    async delete(orgId: string, id: string, options?: CallOptions): Promise<Deleted> {
      const path = pathOf`/organizations/${orgId}/utm-templates/${id}`
      return readJson(await send({ method: 'DELETE', path, idempotent: true, options }))
    },
  }
  return calls
}
