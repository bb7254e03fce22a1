import { Type, type Static } from 'typebox'
import { Actor } from './actors.ts'
import { Id, Line, Role, Timestamp, nullable, newObject, strictObject } from '../schema/common.ts'
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
})
export type CreatedInvitation = Static<typeof CreatedInvitation>

/** The body that invites a person, with at most the caller's role. Default: VIEWER. */
export const CreateInvitation = newObject(
  { email: EmailAddress, role: Type.Optional(Role) },
  { examples: [{ email: 'ada@example.com', role: 'EDITOR' }] },
)
export type CreateInvitation = Static<typeof CreateInvitation>

/**
 * The body that accepts an invitation. It needs the password of an existing account, or a session
 * of that account and no password, or the name and password of an account to create.
 */
export const AcceptInvitation = strictObject({
  token: Type.String({
    description: 'The token from the link.',
    minLength: 1,
    maxLength: 200,
    examples: ['q5Zb0Jt3k1'],
  }),
  name: Type.Optional(Line(limits.nameCharsMax, 'Display name of the account to create.')),
  password: Type.Optional(Password),
})
export type AcceptInvitation = Static<typeof AcceptInvitation>

/** The response to an accepted invitation: the organization and the new membership. */
export const AcceptedInvitation = strictObject({ organization: Organization, member: Member })
export type AcceptedInvitation = Static<typeof AcceptedInvitation>

export const InvitationPage = Page(Invitation)
export type InvitationPage = Static<typeof InvitationPage>
