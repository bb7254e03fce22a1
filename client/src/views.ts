import type { Deleted } from '@everscan/contract/schema/common.ts'
import type { PageQuery } from '@everscan/contract/schema/pages.ts'
import type {
  CreateView,
  LeftViewMail,
  SharedView,
  UnlockedSharedView,
  UpdateView,
  View,
  ViewPage,
} from '@everscan/contract/views/views.ts'
import { pathOf, readJson, type CallOptions, type Send } from './send.ts'

/** Saved views of the figures of an organization, with their public links and mails. */
export type Views = ReturnType<typeof viewCalls>

export function viewCalls(send: Send) {
  async function list(orgId: string, query: PageQuery = {}, options?: CallOptions): Promise<ViewPage> {
    const path = pathOf`/organizations/${orgId}/views`
    return readJson(await send({ method: 'GET', path, query, idempotent: true, options }))
  }

  return {
    /** Saves a view; with `public: {}` it is shared at once. */
    async create(orgId: string, body: CreateView, options?: CallOptions): Promise<View> {
      const path = pathOf`/organizations/${orgId}/views`
      return readJson(await send({ method: 'POST', path, body, idempotent: false, options }))
    },

    /** Returns a view. Its figures are those of analytics with the parameters of `query`. */
    async read(orgId: string, id: string, options?: CallOptions): Promise<View> {
      const path = pathOf`/organizations/${orgId}/views/${id}`
      return readJson(await send({ method: 'GET', path, idempotent: true, options }))
    },

    /** Returns a page of views, newest first. */
    list,

    /** Yields every view, page by page, newest first. */
    async *iterate(orgId: string, options?: CallOptions): AsyncGenerator<View, void, undefined> {
      for (let page = 1; ; page++) {
        const { data, pagination } = await list(orgId, { limit: 100, page }, options)
        yield* data
        if (!pagination.hasNext) return
      }
    },

    /** Changes a view, its public link or its mail. `public: null` ends the link at once. */
    async update(orgId: string, id: string, body: UpdateView, options?: CallOptions): Promise<View> {
      const path = pathOf`/organizations/${orgId}/views/${id}`
      const isRepeatable = body.public?.newLink !== true
      return readJson(await send({ method: 'PUT', path, body, idempotent: isRepeatable, options }))
    },

    /** Deletes a view with its link and its mail. */
    async delete(orgId: string, id: string, options?: CallOptions): Promise<Deleted> {
      const path = pathOf`/organizations/${orgId}/views/${id}`
      return readJson(await send({ method: 'DELETE', path, idempotent: true, options }))
    },

    /** Sends the mail of a view now. `lastSentAt` and `lastError` tell the outcome later. */
    async sendMail(orgId: string, id: string, options?: CallOptions): Promise<View> {
      const path = pathOf`/organizations/${orgId}/views/${id}/send-mail`
      return readJson(await send({ method: 'POST', path, idempotent: false, options }))
    },

    /** Returns the figures behind a public link. Needs no key. */
    async readShared(token: string, options?: CallOptions): Promise<SharedView> {
      const path = pathOf`/shared-views/${token}`
      return readJson(await send({ method: 'GET', path, idempotent: true, options }))
    },

    /** Sends the password of a public link. A cookie then opens it in this browser. */
    async unlock(token: string, password: string, options?: CallOptions): Promise<UnlockedSharedView> {
      const path = pathOf`/shared-views/${token}/unlock`
      const body = { password }
      return readJson(await send({ method: 'POST', path, body, idempotent: false, options }))
    },

    /** Takes an address off the list of a mail, with the token of the link in that mail. */
    async leaveMail(token: string, options?: CallOptions): Promise<LeftViewMail> {
      const path = '/view-mails/leave'
      return readJson(await send({ method: 'POST', path, body: { token }, idempotent: false, options }))
    },
  }
}
