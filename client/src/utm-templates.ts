import type { Deleted } from '@everscan/contract/schema/common.ts'
import type { PageQuery } from '@everscan/contract/schema/pages.ts'
import type {
  CreateUtmTemplate,
  UtmTemplate,
  UtmTemplatePage,
  UpdateUtmTemplate,
} from '@everscan/contract/utm/utm-templates.ts'
import type { CreateOptions } from './qr-codes.ts'
import { pathOf, readJson, type CallOptions, type Send } from './send.ts'

/** UTM parameters of an organization, by name. */
export type UtmTemplates = ReturnType<typeof utmTemplateCalls>

export function utmTemplateCalls(send: Send) {
  async function list(orgId: string, query: PageQuery = {}, options?: CallOptions): Promise<UtmTemplatePage> {
    const path = pathOf`/organizations/${orgId}/utm-templates`
    return readJson(await send({ method: 'GET', path, query, idempotent: true, options }))
  }

  return {
    /** Saves UTM parameters under a name. */
    async create(orgId: string, body: CreateUtmTemplate, options?: CreateOptions): Promise<UtmTemplate> {
      const key = options?.idempotencyKey
      const path = pathOf`/organizations/${orgId}/utm-templates`
      const headers = { 'idempotency-key': key }
      return readJson(
        await send({ method: 'POST', path, body, headers, idempotent: key !== undefined, options }),
      )
    },

    /** Returns a template. */
    async read(orgId: string, id: string, options?: CallOptions): Promise<UtmTemplate> {
      const path = pathOf`/organizations/${orgId}/utm-templates/${id}`
      return readJson(await send({ method: 'GET', path, idempotent: true, options }))
    },

    /** Returns a page of templates, newest first. */
    list,

    /** Yields every template, page by page, newest first. */
    async *iterate(orgId: string, options?: CallOptions): AsyncGenerator<UtmTemplate, void, undefined> {
      for (let page = 1; ; page++) {
        const { data, pagination } = await list(orgId, { limit: 100, page }, options)
        yield* data
        if (!pagination.hasNext) return
      }
    },

    /** Changes a template; null removes a value. Codes keep their destinations. */
    async update(
      orgId: string,
      id: string,
      body: UpdateUtmTemplate,
      options?: CallOptions,
    ): Promise<UtmTemplate> {
      const path = pathOf`/organizations/${orgId}/utm-templates/${id}`
      return readJson(await send({ method: 'PUT', path, body, idempotent: true, options }))
    },

    /** Deletes a template. Codes keep their destinations. */
    async delete(orgId: string, id: string, options?: CallOptions): Promise<Deleted> {
      const path = pathOf`/organizations/${orgId}/utm-templates/${id}`
      return readJson(await send({ method: 'DELETE', path, idempotent: true, options }))
    },
  }
}
