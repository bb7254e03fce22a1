import type { LeftViewMail, UnlockedSharedView, UpdateView, View } from '@everscan/contract/views/views.ts'
import { composed, type Composed, type Service } from './calling.ts'
import { viewsOf } from './calls/views.ts'
import { pathOf, readJson, type CallOptions } from './send.ts'

/** Saved views of the figures of an organization, with their public links and mails. */
export type Views = Composed<typeof viewsOf, typeof ownCalls>

export const viewCalls: (service: Service) => Views = composed(viewsOf, ownCalls)

function ownCalls(calls: ReturnType<typeof viewsOf>, { send }: Service) {
  return {
    /** Changes a view, its public link or its mail. `public: null` ends the link at once. */
    async update(orgId: string, id: string, body: UpdateView, options?: CallOptions): Promise<View> {
      const path = pathOf`/organizations/${orgId}/views/${id}`
      const isRepeatable = body.public?.newLink !== true
      return readJson(await send({ method: 'PUT', path, body, idempotent: isRepeatable, options }))
    },

    /** Sends the password of a public link. A cookie then opens it in this browser. */
    async unlock(token: string, password: string, options?: CallOptions): Promise<UnlockedSharedView> {
      return calls.unlock(token, { password }, options)
    },

    /** Takes an address off the list of a mail, with the token of the link in that mail. */
    async leaveMail(token: string, options?: CallOptions): Promise<LeftViewMail> {
      return calls.leaveMail({ token }, options)
    },
  }
}
