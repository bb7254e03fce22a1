import { Type, type Static } from 'typebox'
import { Line, strictObject } from '../schema/common.ts'
import { limits } from '../schema/limits.ts'
import { EmailAddress, Password } from './users.ts'

/** The body that asks for an account and an organization of its own. */
export const SignUp = strictObject(
  {
    email: EmailAddress,
    name: Line(limits.nameCharsMax, 'Display name of the account.'),
    password: Password,
    organizationName: Line(limits.nameCharsMax, 'Display name of the organization.'),
  },
  {
    examples: [
      {
        email: 'ada@example.com',
        name: 'Ada Lovelace',
        password: 'correct horse battery',
        organizationName: 'Example',
      },
    ],
  },
)
export type SignUp = Static<typeof SignUp>

/** With `mailed` the account is made when the address in the mail is opened; without, it is there. */
export const SignedUp = strictObject({
  mailed: Type.Boolean({ description: 'Whether the address is to be confirmed first, by a mail.' }),
})
export type SignedUp = Static<typeof SignedUp>

/** The body that confirms the e-mail address. */
export const ConfirmSignUp = strictObject(
  { token: Type.String({ description: 'From the address in the mail.', minLength: 1, maxLength: 4_096 }) },
  { examples: [{ token: 'v1.q5Zb0Jt3k1' }] },
)
export type ConfirmSignUp = Static<typeof ConfirmSignUp>

export const ConfirmedSignUp = strictObject({
  confirmed: Type.Literal(true, { type: 'boolean' }),
})
export type ConfirmedSignUp = Static<typeof ConfirmedSignUp>
