import { Type, type Static } from 'typebox'
import { Id, Role, Timestamp, strictObject } from '../schema/common.ts'
import { Page } from '../schema/pages.ts'

/** A user's membership in an organization; `id` is that of the user. */
export const Member = strictObject({
  id: Id('usr', 'Identifier of the user.'),
  email: Type.String({ description: 'E-mail address.', examples: ['ada@example.com'] }),
  name: Type.String({ description: 'Display name.' }),
  role: Role,
  joinedAt: Timestamp('When the user joined.'),
  twoFactor: Type.Optional(
    Type.Boolean({
      description: 'Whether the account has two-factor sign-in. Listed for signed-in ADMINs only.',
    }),
  ),
})
export type Member = Static<typeof Member>

/** The body that changes a member's role. The last ADMIN of an organization must stay ADMIN. */
export const UpdateMember = strictObject({ role: Role }, { examples: [{ role: 'EDITOR' }] })
export type UpdateMember = Static<typeof UpdateMember>

export const MemberPage = Page(Member)
export type MemberPage = Static<typeof MemberPage>
