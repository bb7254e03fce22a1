// `npm run generate` writes this file from the table of endpoints.
import type {
  AcceptInvitation,
  AcceptedInvitation,
  CreateInvitation,
  CreatedInvitation,
  Invitation,
  InvitationPage,
  InvitationQuestion,
  ReceivedInvitation,
} from '@everscan/contract/resources/invitations.ts'
import type { PageQuery } from '@everscan/contract/schema/pages.ts'
import type { Deleted } from '@everscan/contract/schema/common.ts'
import type { Service } from '../calling.ts'
import { iterate } from '../iterate.ts'
import { pathOf, readJson, type CallOptions } from '../send.ts'

export function invitationsOf({ send }: Service) {
  const calls = {
    /**
     * Invite a person to the organization. Only this response contains the link for the person,
     * which works once, within 7 days. The link in the mail is another one, which also confirms the
     * person's e-mail address. An invitation replaces a pending invitation of the same person. The
     * mail names the inviting account by its confirmed address; other texts of the sender are in it
     * in a plain form only. 409 if the person is already a member; 429 if no more mails may be sent
     * today.
     */
    async create(orgId: string, body: CreateInvitation, options?: CallOptions): Promise<CreatedInvitation> {
      const path = pathOf`/organizations/${orgId}/invitations`
      return readJson(await send({ method: 'POST', path, body, idempotent: false, options }))
    },

    /**
     * List the invitations of the organization, newest first, including accepted and expired ones.
     */
    async list(orgId: string, query: PageQuery = {}, options?: CallOptions): Promise<InvitationPage> {
      const path = pathOf`/organizations/${orgId}/invitations`
      return readJson(await send({ method: 'GET', path, query, idempotent: true, options }))
    },

    /**
     * Yields every record of the list, page by page. If records are deleted meanwhile, it may skip
     * others: collect them first, then delete.
     */
    iterate(orgId: string, options?: CallOptions): AsyncGenerator<Invitation, void, undefined> {
      return iterate(({ page, limit }) => calls.list(orgId, { limit, page }, options))
    },

    /**
     * Revoke an invitation. Its link stops working. 409 if it was already accepted: remove the
     * member instead.
     */
    async revoke(orgId: string, id: string, options?: CallOptions): Promise<Deleted> {
      const path = pathOf`/organizations/${orgId}/invitations/${id}`
      return readJson(await send({ method: 'DELETE', path, idempotent: true, options }))
    },

    /**
     * Read an invitation with its token: who invites, to what, and what accepting it needs. Names
     * are in a plain form, as in the mail: the reader need not know who chose them. 404 if the
     * token is unknown, used or expired.
     */
    async receive(body: InvitationQuestion, options?: CallOptions): Promise<ReceivedInvitation> {
      const path = '/invitations/received'
      return readJson(await send({ method: 'POST', path, body, idempotent: true, options }))
    },

    /**
     * Accept an invitation. For an e-mail address without an account, send a name and a password,
     * which create it. For an address with an account, send its password, or nothing but the token
     * with a session of that account. The token of the mailed link also confirms the e-mail
     * address. If nobody has confirmed it, a name and a password with that token take the account
     * over: they replace its name and password, end its sessions, and remove its second factors and
     * passkeys. 404 if the token is unknown, used or expired.
     */
    async accept(body: AcceptInvitation, options?: CallOptions): Promise<AcceptedInvitation> {
      const path = '/invitations/accept'
      return readJson(await send({ method: 'POST', path, body, idempotent: false, options }))
    },
  }
  return calls
}
