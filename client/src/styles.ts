import type { Deleted } from '@everscan/contract/schema/common.ts'
import type { PageQuery } from '@everscan/contract/schema/pages.ts'
import type {
  CreateSavedStyle,
  SavedStyle,
  SavedStylePage,
  UpdateSavedStyle,
} from '@everscan/contract/resources/saved-styles.ts'
import type { CreateOptions } from './qr-codes.ts'
import { pathOf, readJson, type CallOptions, type Send } from './send.ts'

/** Named styles of an organization, for `styleId`. */
export type Styles = ReturnType<typeof styleCalls>

export function styleCalls(send: Send) {
  async function list(orgId: string, query: PageQuery = {}, options?: CallOptions): Promise<SavedStylePage> {
    const path = pathOf`/organizations/${orgId}/styles`
    return readJson(await send({ method: 'GET', path, query, idempotent: true, options }))
  }

  return {
    /** Saves a style under a name. An unreadable picture is a `StyleNotScannableError`. */
    async create(orgId: string, body: CreateSavedStyle, options?: CreateOptions): Promise<SavedStyle> {
      const key = options?.idempotencyKey
      const path = pathOf`/organizations/${orgId}/styles`
      const headers = { 'idempotency-key': key }
      return readJson(
        await send({ method: 'POST', path, body, headers, idempotent: key !== undefined, options }),
      )
    },

    /** Returns a style. */
    async read(orgId: string, id: string, options?: CallOptions): Promise<SavedStyle> {
      const path = pathOf`/organizations/${orgId}/styles/${id}`
      return readJson(await send({ method: 'GET', path, idempotent: true, options }))
    },

    /** Returns a page of styles, newest first. */
    list,

    /** Yields every style, page by page, newest first. */
    async *iterate(orgId: string, options?: CallOptions): AsyncGenerator<SavedStyle, void, undefined> {
      for (let page = 1; ; page++) {
        const { data, pagination } = await list(orgId, { limit: 100, page }, options)
        yield* data
        if (!pagination.hasNext) return
      }
    },

    /** Changes a style. `style` replaces all of it. Existing codes keep their style. */
    async update(
      orgId: string,
      id: string,
      body: UpdateSavedStyle,
      options?: CallOptions,
    ): Promise<SavedStyle> {
      const path = pathOf`/organizations/${orgId}/styles/${id}`
      return readJson(await send({ method: 'PUT', path, body, idempotent: true, options }))
    },

    /** Deletes a style. Existing codes keep their style. */
    async delete(orgId: string, id: string, options?: CallOptions): Promise<Deleted> {
      const path = pathOf`/organizations/${orgId}/styles/${id}`
      return readJson(await send({ method: 'DELETE', path, idempotent: true, options }))
    },
  }
}
