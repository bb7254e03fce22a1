import { Type, type Static } from 'typebox'
import { Actor } from './actors.ts'
import { Id, Line, Role, Timestamp, nullable, strictObject } from '../schema/common.ts'
import { limits } from '../schema/limits.ts'
import { Member } from './members.ts'
import { Organization } from './organizations.ts'
import { Page } from '../schema/pages.ts'
import { EmailAddress, Password } from './users.ts'

const invitationFields = {
  id: Id('inv'),
  email: Type.String({ description: 'Who is invited.' }),
  role: Role,
  invitedBy: Actor,
  createdAt: Timestamp('When it was made.'),
  expiresAt: Timestamp('When it ends.'),
  acceptedAt: nullable(Timestamp('When it was accepted; null when it was not.')),
}

/** An invitation to an organization. */
export const Invitation = strictObject(invitationFields)
export type Invitation = Static<typeof Invitation>

/** An invitation just made, with the address to give to the person, shown this once. */
export const CreatedInvitation = strictObject({
  ...invitationFields,
  acceptUrl: Type.String({ description: 'Where the person accepts it; shown this once.' }),
  mailed: Type.Optional(
    Type.Boolean({
      description: 'Whether it was mailed to the person; absent where the installation sends no mails.',
    }),
  ),
})
export type CreatedInvitation = Static<typeof CreatedInvitation>

/** The body that invites a person, never to a role above the caller's; VIEWER unless given. */
export const CreateInvitation = strictObject(
  { email: EmailAddress, role: Type.Optional(Role) },
  { examples: [{ email: 'ada@example.com', role: 'EDITOR' }] },
)
export type CreateInvitation = Static<typeof CreateInvitation>

/**
 * The body that accepts an invitation: with the password of the person's account, or neither by a session of it, or with name and password of
 * the account to make.
 */
export const AcceptInvitation = strictObject({
  token: Type.String({ description: 'From the address.', minLength: 1, maxLength: 200 }),
  name: Type.Optional(Line(limits.nameCharsMax, 'Display name of the account to make.')),
  password: Type.Optional(Password),
})
export type AcceptInvitation = Static<typeof AcceptInvitation>

/** The answer to who accepted one: where they are a member now. */
export const AcceptedInvitation = strictObject({ organization: Organization, member: Member })
export type AcceptedInvitation = Static<typeof AcceptedInvitation>

export const InvitationPage = Page(Invitation)
export type InvitationPage = Static<typeof InvitationPage>
