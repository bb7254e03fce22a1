import { limits } from '../../schema/limits.ts'
import { OrganizationParams, RecordParams, Deleted } from '../../schema/common.ts'
import {
  CreateInvitation,
  CreatedInvitation,
  InvitationPage,
  InvitationQuestion,
  ReceivedInvitation,
  AcceptInvitation,
  AcceptedInvitation,
} from '../../resources/invitations.ts'
import { PageQuery } from '../../schema/pages.ts'
import { endpoint } from '../endpoint.ts'

const tag = 'Invitations'
const collection = '/organizations/:orgId/invitations'

export const invitations = {
  create: endpoint({
    id: 'createInvitation',
    method: 'POST',
    path: collection,
    role: 'ADMIN',
    scope: 'admin',
    tag,
    summary: 'Invite a person to the organization.',
    description: `Only this response contains the link for the person, which works once, within ${limits.invitationDays} days. The link in the mail is another one, which also confirms the person's e-mail address. An invitation replaces a pending invitation of the same person. The mail names the inviting account by its confirmed address; other texts of the sender are in it in a plain form only. 409 if the person is already a member; 429 if no more mails may be sent today.`,
    params: OrganizationParams,
    body: CreateInvitation,
    status: 201,
    response: CreatedInvitation,
    errors: [409],
  }),

  list: endpoint({
    id: 'listInvitations',
    method: 'GET',
    path: collection,
    role: 'ADMIN',
    scope: 'admin',
    tag,
    summary: 'List the invitations of the organization, newest first, including accepted and expired ones.',
    params: OrganizationParams,
    query: PageQuery,
    status: 200,
    response: InvitationPage,
  }),

  revoke: endpoint({
    id: 'revokeInvitation',
    method: 'DELETE',
    path: `${collection}/:id`,
    role: 'ADMIN',
    scope: 'admin',
    tag,
    summary: 'Revoke an invitation.',
    description: 'Its link stops working. 409 if it was already accepted: remove the member instead.',
    params: RecordParams,
    status: 200,
    response: Deleted,
    errors: [409],
  }),

  receive: endpoint({
    id: 'receiveInvitation',
    method: 'POST',
    repeatable: true,
    path: '/invitations/received',
    role: 'public',
    triesPerMinute: limits.invitationTriesPerMinute,
    tag,
    summary: 'Read an invitation with its token: who invites, to what, and what accepting it needs.',
    description:
      'Names are in a plain form, as in the mail: the reader need not know who chose them. 404 if the token is unknown, used or expired.',
    body: InvitationQuestion,
    status: 200,
    response: ReceivedInvitation,
    errors: [404],
  }),

  accept: endpoint({
    id: 'acceptInvitation',
    method: 'POST',
    path: '/invitations/accept',
    role: 'public',
    triesPerMinute: limits.invitationTriesPerMinute,
    tag,
    summary: 'Accept an invitation.',
    description:
      'For an e-mail address without an account, send a name and a password, which create it. For an address with an account, send its password, or nothing but the token with a session of that account. The token of the mailed link also confirms the e-mail address. If nobody has confirmed it, a name and a password with that token take the account over: they replace its name and password, end its sessions, and remove its second factors and passkeys. 404 if the token is unknown, used or expired.',
    body: AcceptInvitation,
    status: 200,
    response: AcceptedInvitation,
    errors: [404, 409],
  }),
}
