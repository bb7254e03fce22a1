import type { Deleted } from '@everscan/contract/schema/common.ts'
import type {
  AcceptedInvitation,
  AcceptInvitation,
  CreatedInvitation,
  CreateInvitation,
  InvitationPage,
} from '@everscan/contract/resources/invitations.ts'
import type { PageQuery } from '@everscan/contract/schema/pages.ts'
import { pathOf, readJson, type CallOptions, type Send } from './send.ts'

/** Invitations to an organization; they need a key with role ADMIN. */
export type Invitations = ReturnType<typeof invitationCalls>

export function invitationCalls(send: Send) {
  return {
    /** Invites a person; `acceptUrl` is what to give them, shown this once. */
    async create(orgId: string, body: CreateInvitation, options?: CallOptions): Promise<CreatedInvitation> {
      const path = pathOf`/organizations/${orgId}/invitations`
      return readJson(await send({ method: 'POST', path, body, idempotent: false, options }))
    },

    /** A page of invitations, newest first, accepted and ended ones too. */
    async list(orgId: string, query: PageQuery = {}, options?: CallOptions): Promise<InvitationPage> {
      const path = pathOf`/organizations/${orgId}/invitations`
      return readJson(await send({ method: 'GET', path, query, idempotent: true, options }))
    },

    /** Takes an invitation back. */
    async revoke(orgId: string, id: string, options?: CallOptions): Promise<Deleted> {
      const path = pathOf`/organizations/${orgId}/invitations/${id}`
      return readJson(await send({ method: 'DELETE', path, idempotent: true, options }))
    },

    /** Accepts an invitation by the part of its address behind "#"; `name` only when the person has no account. */
    async accept(body: AcceptInvitation, options?: CallOptions): Promise<AcceptedInvitation> {
      return readJson(
        await send({ method: 'POST', path: '/invitations/accept', body, idempotent: false, options }),
      )
    },
  }
}
