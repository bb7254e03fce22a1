import type { ListTagsQuery, TagPage } from '@everscan/contract/resources/tags.ts'
import { pathOf, readJson, type CallOptions, type Send } from './send.ts'

/** Tags of the codes of an organization. */
export type Tags = ReturnType<typeof tagCalls>

export function tagCalls(send: Send) {
  return {
    /** Returns a page of the tags of all codes, most used first, with the number of codes each. */
    async list(orgId: string, query: ListTagsQuery = {}, options?: CallOptions): Promise<TagPage> {
      const path = pathOf`/organizations/${orgId}/tags`
      return readJson(await send({ method: 'GET', path, query, idempotent: true, options }))
    },
  }
}
