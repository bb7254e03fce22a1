import { Type, type Static } from 'typebox'
import { Actor } from './actors.ts'
import { Id, Line, Role, Timestamp, nullable, newObject, oneOf, strictObject } from '../schema/common.ts'
import { limits } from '../schema/limits.ts'
import { Member } from './members.ts'
import { Organization } from './organizations.ts'
import { Page } from '../schema/pages.ts'
import { EmailAddress, Password } from './users.ts'

const invitationFields = {
  id: Id('inv'),
  email: Type.String({ description: 'E-mail address of the invited person.', examples: ['ada@example.com'] }),
  role: Role,
  invitedBy: Actor,
  createdAt: Timestamp('When the invitation was created.'),
  expiresAt: Timestamp('When the invitation expires.'),
  acceptedAt: nullable(Timestamp('When the invitation was accepted; null if it was not.')),
}

/** An invitation to an organization. */
export const Invitation = strictObject(invitationFields)
export type Invitation = Static<typeof Invitation>

/** Why an invitation was not mailed. Its link can still be handed over. */
export const notMailedReasons = ['UNWANTED', 'STOPPED', 'LIMITED', 'REFUSED'] as const

/** A new invitation with its link, which only this response contains. */
export const CreatedInvitation = strictObject({
  ...invitationFields,
  acceptUrl: Type.String({
    description: 'URL where the person accepts the invitation; shown only once.',
  }),
  mailed: Type.Optional(
    Type.Boolean({
      description:
        'Whether the invitation was mailed to the person; absent if the installation sends no mails.',
    }),
  ),
  notMailed: Type.Optional(
    oneOf(notMailedReasons, {
      description:
        'Why it was not mailed. UNWANTED: the owner of the address wants no such mails of this installation; STOPPED: the operator has stopped the mails of the organization; LIMITED: too many mails; REFUSED: the mail server did not take it.',
    }),
  ),
})
export type CreatedInvitation = Static<typeof CreatedInvitation>

/** The body that invites a person, with at most the caller's role. Default: VIEWER. */
export const CreateInvitation = newObject(
  { email: EmailAddress, role: Type.Optional(Role) },
  { examples: [{ email: 'ada@example.com', role: 'EDITOR' }] },
)
export type CreateInvitation = Static<typeof CreateInvitation>

const InvitationToken = Type.String({
  description: 'The token from the link.',
  minLength: 1,
  maxLength: 200,
  examples: ['q5Zb0Jt3k1'],
})

/** The body that asks about an invitation. */
export const InvitationQuestion = strictObject({ token: InvitationToken })
export type InvitationQuestion = Static<typeof InvitationQuestion>

/** Each need of an acceptance, besides the token. */
export const invitationNeeds = ['NAME_AND_PASSWORD', 'PASSWORD', 'NOTHING'] as const

/** An invitation as the invited person sees it. */
export const ReceivedInvitation = strictObject({
  organization: Type.String({ description: 'Name of the organization.' }),
  invitedBy: Type.String({ description: 'Name of the person, or of the key, that invites.' }),
  email: Type.String({ description: 'The invited e-mail address.' }),
  role: Role,
  expiresAt: Timestamp('When the invitation expires.'),
  needs: oneOf(invitationNeeds, {
    description:
      'What accepting it needs. NAME_AND_PASSWORD: they create an account, or take over one whose address nobody confirmed; PASSWORD: the password of the account with this address; NOTHING: the request has a session of that account, or the account has no password.',
  }),
})
export type ReceivedInvitation = Static<typeof ReceivedInvitation>

/**
 * The body that accepts an invitation. It needs the password of an existing account, or a session
 * of that account and no password, or the name and password of an account to create.
 */
export const AcceptInvitation = strictObject({
  token: InvitationToken,
  name: Type.Optional(Line(limits.nameCharsMax, 'Display name of the account to create.')),
  password: Type.Optional(Password),
  signIn: Type.Optional(
    Type.Boolean({
      description: 'Also begin a session of the account, in a cookie, as signing in does.',
      default: false,
    }),
  ),
})
export type AcceptInvitation = Static<typeof AcceptInvitation>

/** The response to an accepted invitation: the organization and the new membership. */
export const AcceptedInvitation = strictObject({
  organization: Organization,
  member: Member,
  signedIn: Type.Boolean({
    description:
      'Whether the caller has a session of the account now. false without `signIn`, and for an account with two-factor sign-in.',
  }),
})
export type AcceptedInvitation = Static<typeof AcceptedInvitation>

export const InvitationPage = Page(Invitation)
export type InvitationPage = Static<typeof InvitationPage>
