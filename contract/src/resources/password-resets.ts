import { Type, type Static } from 'typebox'
import { Timestamp, strictObject } from '../schema/common.ts'
import { EmailAddress, Password } from './users.ts'

/** The body that asks for an address under which a new password can be set. */
export const RequestPasswordReset = strictObject(
  { email: EmailAddress },
  { examples: [{ email: 'ada@example.com' }] },
)
export type RequestPasswordReset = Static<typeof RequestPasswordReset>

/** The answer, whether or not there is such an account. */
export const RequestedPasswordReset = strictObject({
  accepted: Type.Literal(true, { type: 'boolean' }),
})
export type RequestedPasswordReset = Static<typeof RequestedPasswordReset>

/** The body that sets a new password. All sessions end; two-factor sign-in stays. */
export const ConfirmPasswordReset = strictObject(
  {
    token: Type.String({ description: 'From the address.', minLength: 1, maxLength: 200 }),
    newPassword: Password,
  },
  { examples: [{ token: 'q5Zb0Jt3k1', newPassword: 'another long password' }] },
)
export type ConfirmPasswordReset = Static<typeof ConfirmPasswordReset>

export const ConfirmedPasswordReset = strictObject({
  reset: Type.Literal(true, { type: 'boolean' }),
})
export type ConfirmedPasswordReset = Static<typeof ConfirmedPasswordReset>

/** An address to give to a member, shown this once. */
export const CreatedPasswordReset = strictObject({
  resetUrl: Type.String({ description: 'Where the member sets a new password; shown this once.' }),
  expiresAt: Timestamp('When it ends.'),
})
export type CreatedPasswordReset = Static<typeof CreatedPasswordReset>
