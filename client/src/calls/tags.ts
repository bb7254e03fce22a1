// `npm run generate` writes this file from the table of endpoints.
import type { ListTagsQuery, TagPage, TagUse } from '@everscan/contract/resources/tags.ts'
import type { Service } from '../calling.ts'
import { iterate } from '../iterate.ts'
import { pathOf, readJson, type CallOptions } from '../send.ts'

export function tagsOf({ send }: Service) {
  const calls = {
    /** List the tags of the organization's codes, most used first. */
    async list(orgId: string, query: ListTagsQuery = {}, options?: CallOptions): Promise<TagPage> {
      const path = pathOf`/organizations/${orgId}/tags`
      return readJson(await send({ method: 'GET', path, query, idempotent: true, options }))
    },

    /**
     * Yields every record of the list, page by page. If records are deleted meanwhile, it may skip
     * others: collect them first, then delete.
     */
    iterate(
      orgId: string,
      query: Omit<ListTagsQuery, 'page'> = {},
      options?: CallOptions,
    ): AsyncGenerator<TagUse, void, undefined> {
      return iterate(({ page, limit }) => calls.list(orgId, { limit, ...query, page }, options))
    },
  }
  return calls
}
