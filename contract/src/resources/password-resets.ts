import { Type, type Static } from 'typebox'
import { Timestamp, strictObject } from '../schema/common.ts'
import { KnownEmailAddress, Password } from './users.ts'

/** The body that requests a link for setting a new password. */
export const RequestPasswordReset = strictObject(
  { email: KnownEmailAddress },
  { examples: [{ email: 'ada@example.com' }] },
)
export type RequestPasswordReset = Static<typeof RequestPasswordReset>

/** The response, whether or not the account exists. */
export const RequestedPasswordReset = strictObject({
  accepted: Type.Literal(true, { type: 'boolean' }),
})
export type RequestedPasswordReset = Static<typeof RequestedPasswordReset>

/** The body that sets a new password. All sessions end; two-factor sign-in stays on. */
export const ConfirmPasswordReset = strictObject(
  {
    token: Type.String({ description: 'The token from the link.', minLength: 1, maxLength: 200 }),
    newPassword: Password,
  },
  { examples: [{ token: 'q5Zb0Jt3k1', newPassword: 'another long password' }] },
)
export type ConfirmPasswordReset = Static<typeof ConfirmPasswordReset>

export const ConfirmedPasswordReset = strictObject({
  reset: Type.Literal(true, { type: 'boolean' }),
})
export type ConfirmedPasswordReset = Static<typeof ConfirmedPasswordReset>

/** A link for an admin to pass on to a member, which only this response contains. */
export const CreatedPasswordReset = strictObject({
  resetUrl: Type.String({ description: 'URL where the member sets a new password; shown only once.' }),
  expiresAt: Timestamp('When the link expires.'),
})
export type CreatedPasswordReset = Static<typeof CreatedPasswordReset>
