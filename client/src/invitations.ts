import type { Deleted } from '@everscan/contract/schema/common.ts'
import type {
  AcceptedInvitation,
  AcceptInvitation,
  CreatedInvitation,
  CreateInvitation,
  InvitationPage,
  InvitationQuestion,
  ReceivedInvitation,
} from '@everscan/contract/resources/invitations.ts'
import type { PageQuery } from '@everscan/contract/schema/pages.ts'
import { pathOf, readJson, type CallOptions, type Send } from './send.ts'

/** Invitations to an organization. The calls need a key with role ADMIN. */
export type Invitations = ReturnType<typeof invitationCalls>

export function invitationCalls(send: Send) {
  return {
    /** Invites a person. `acceptUrl` is the link for that person, shown only this once. */
    async create(orgId: string, body: CreateInvitation, options?: CallOptions): Promise<CreatedInvitation> {
      const path = pathOf`/organizations/${orgId}/invitations`
      return readJson(await send({ method: 'POST', path, body, idempotent: false, options }))
    },

    /** Returns a page of invitations, newest first, including accepted and ended ones. */
    async list(orgId: string, query: PageQuery = {}, options?: CallOptions): Promise<InvitationPage> {
      const path = pathOf`/organizations/${orgId}/invitations`
      return readJson(await send({ method: 'GET', path, query, idempotent: true, options }))
    },

    /** Revokes an invitation. */
    async revoke(orgId: string, id: string, options?: CallOptions): Promise<Deleted> {
      const path = pathOf`/organizations/${orgId}/invitations/${id}`
      return readJson(await send({ method: 'DELETE', path, idempotent: true, options }))
    },

    /**
     * Returns what an invitation says, with the part of its link after "#": who invites, to what,
     * and what accepting it needs.
     */
    async receive(body: InvitationQuestion, options?: CallOptions): Promise<ReceivedInvitation> {
      const path = '/invitations/received'
      return readJson(await send({ method: 'POST', path, body, idempotent: true, options }))
    },

    /** Accepts an invitation with the part of its link after "#". New accounts need a `name`. */
    async accept(body: AcceptInvitation, options?: CallOptions): Promise<AcceptedInvitation> {
      return readJson(
        await send({ method: 'POST', path: '/invitations/accept', body, idempotent: false, options }),
      )
    },
  }
}
