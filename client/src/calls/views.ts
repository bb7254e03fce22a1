// `npm run generate` writes this file from the table of endpoints.
import type {
  CreateView,
  LeaveViewMail,
  LeftViewMail,
  SharedView,
  UnlockSharedView,
  UnlockedSharedView,
  View,
  ViewPage,
} from '@everscan/contract/views/views.ts'
import type { PageQuery } from '@everscan/contract/schema/pages.ts'
import type { Deleted } from '@everscan/contract/schema/common.ts'
import type { Service } from '../calling.ts'
import { iterate } from '../iterate.ts'
import { pathOf, readJson, type CallOptions } from '../send.ts'

export function viewsOf({ send }: Service) {
  const calls = {
    /**
     * Save a view of the figures, to open, share or mail it. An organization has at most 100 views.
     * Keys need the scope admin, because links and mails hand figures to people outside of the
     * organization.
     */
    async create(orgId: string, body: CreateView, options?: CallOptions): Promise<View> {
      const path = pathOf`/organizations/${orgId}/views`
      return readJson(await send({ method: 'POST', path, body, idempotent: false, options }))
    },

    /** List the saved views of the organization, newest first. */
    async list(orgId: string, query: PageQuery = {}, options?: CallOptions): Promise<ViewPage> {
      const path = pathOf`/organizations/${orgId}/views`
      return readJson(await send({ method: 'GET', path, query, idempotent: true, options }))
    },

    /**
     * Yields every record of the list, page by page. If records are deleted meanwhile, it may skip
     * others: collect them first, then delete.
     */
    iterate(orgId: string, options?: CallOptions): AsyncGenerator<View, void, undefined> {
      return iterate(({ page, limit }) => calls.list(orgId, { limit, page }, options))
    },

    /** Read a saved view. Its figures are those of analytics with the parameters of `query`. */
    async read(orgId: string, id: string, options?: CallOptions): Promise<View> {
      const path = pathOf`/organizations/${orgId}/views/${id}`
      return readJson(await send({ method: 'GET', path, idempotent: true, options }))
    },

    /** Delete a saved view. Its public link and its mail end at once. Scans and codes stay. */
    async delete(orgId: string, id: string, options?: CallOptions): Promise<Deleted> {
      const path = pathOf`/organizations/${orgId}/views/${id}`
      return readJson(await send({ method: 'DELETE', path, idempotent: true, options }))
    },

    /**
     * Send the mail of a view now. The regular mails stay as they are. `lastSentAt` and `lastError`
     * of the view tell the outcome, within seconds. An organization sends at most 200 mails of
     * views a day. Addresses that are no confirmed member's, and whose owners did not answer the
     * question for a week, are asked again, three times at most. 409 if the view has no mail, or
     * the installation sends none.
     */
    async sendMail(orgId: string, id: string, options?: CallOptions): Promise<View> {
      const path = pathOf`/organizations/${orgId}/views/${id}/send-mail`
      return readJson(await send({ method: 'POST', path, idempotent: false, options }))
    },

    /**
     * Read the figures of a shared view. Needs no key: the token of the public link is enough. The
     * figures are at most 60 s old, and their form is that of analytics, without identifiers. 401
     * PASSWORD_REQUIRED until the password was sent to `unlock`. One 404 for a link that is
     * unknown, has ended, or whose code was deleted.
     */
    async readShared(token: string, options?: CallOptions): Promise<SharedView> {
      const path = pathOf`/shared-views/${token}`
      return readJson(await send({ method: 'GET', path, idempotent: true, options }))
    },

    /**
     * Send the password of a shared view. A cookie of the answer opens this view in this browser
     * for 12 h, or until its link or its password changes. After five wrong passwords, each further
     * one from the same network has to wait longer.
     */
    async unlock(token: string, body: UnlockSharedView, options?: CallOptions): Promise<UnlockedSharedView> {
      const path = pathOf`/shared-views/${token}/unlock`
      return readJson(await send({ method: 'POST', path, body, idempotent: false, options }))
    },

    /**
     * Take an address off the list of a mailed view. With the token of the link in each mail. 404
     * if the token is none of ours; the answer is the same whether or not the address was still on
     * the list.
     */
    async leaveMail(body: LeaveViewMail, options?: CallOptions): Promise<LeftViewMail> {
      const path = '/view-mails/leave'
      return readJson(await send({ method: 'POST', path, body, idempotent: false, options }))
    },
  }
  return calls
}
