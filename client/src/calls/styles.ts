// `npm run generate` writes this file from the table of endpoints.
import type {
  CreateSavedStyle,
  SavedStyle,
  SavedStylePage,
  UpdateSavedStyle,
} from '@everscan/contract/resources/saved-styles.ts'
import type { PageQuery } from '@everscan/contract/schema/pages.ts'
import type { Deleted } from '@everscan/contract/schema/common.ts'
import { once, type CreateOptions, type Service } from '../calling.ts'
import { iterate } from '../iterate.ts'
import { pathOf, readJson, type CallOptions } from '../send.ts'

export function stylesOf({ send }: Service) {
  const calls = {
    /**
     * Save a style under a name. The style is accepted only if its picture can be decoded. Codes
     * created without a styleId get the default style.
     */
    async create(orgId: string, body: CreateSavedStyle, options?: CreateOptions): Promise<SavedStyle> {
      const path = pathOf`/organizations/${orgId}/styles`
      return readJson(await send({ method: 'POST', path, body, ...once(options), options }))
    },

    /** List the saved styles of the organization, newest first. */
    async list(orgId: string, query: PageQuery = {}, options?: CallOptions): Promise<SavedStylePage> {
      const path = pathOf`/organizations/${orgId}/styles`
      return readJson(await send({ method: 'GET', path, query, idempotent: true, options }))
    },

    /**
     * Yields every record of the list, page by page. If records are deleted meanwhile, it may skip
     * others: collect them first, then delete.
     */
    iterate(orgId: string, options?: CallOptions): AsyncGenerator<SavedStyle, void, undefined> {
      return iterate(({ page, limit }) => calls.list(orgId, { limit, page }, options))
    },

    /** Read a saved style. */
    async read(orgId: string, id: string, options?: CallOptions): Promise<SavedStyle> {
      const path = pathOf`/organizations/${orgId}/styles/${id}`
      return readJson(await send({ method: 'GET', path, idempotent: true, options }))
    },

    /**
     * Update a saved style. Partial; `style` is replaced as a whole. Existing codes keep their
     * style.
     */
    async update(
      orgId: string,
      id: string,
      body: UpdateSavedStyle,
      options?: CallOptions,
    ): Promise<SavedStyle> {
      const path = pathOf`/organizations/${orgId}/styles/${id}`
      return readJson(await send({ method: 'PUT', path, body, idempotent: true, options }))
    },

    /** Delete a saved style. Existing codes keep their style. */
    async delete(orgId: string, id: string, options?: CallOptions): Promise<Deleted> {
      const path = pathOf`/organizations/${orgId}/styles/${id}`
      return readJson(await send({ method: 'DELETE', path, idempotent: true, options }))
    },
  }
  return calls
}
