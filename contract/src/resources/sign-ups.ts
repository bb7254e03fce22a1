import { Type, type Static } from 'typebox'
import { Line, newObject, strictObject } from '../schema/common.ts'
import { limits } from '../schema/limits.ts'
import { EmailAddress, Password } from './users.ts'

/**
 * The body that requests an account with an organization of its own. If the installation sends
 * mails, the password is chosen with the mailed link, by whoever receives it.
 */
export const SignUp = newObject(
  {
    email: EmailAddress,
    name: Line(limits.nameCharsMax, 'Display name of the account.'),
    password: Type.Optional(Password),
    organizationName: Line(limits.nameCharsMax, 'Display name of the organization.'),
  },
  {
    examples: [
      {
        email: 'ada@example.com',
        name: 'Ada Lovelace',
        organizationName: 'Example',
      },
    ],
  },
)
export type SignUp = Static<typeof SignUp>

/**
 * The response to a sign-up. If `mailed`, the link in the mail leads to the account; otherwise the
 * account exists already.
 */
export const SignedUp = strictObject({
  mailed: Type.Boolean({
    description: 'Whether the e-mail address must first be confirmed with the link in a mail.',
  }),
})
export type SignedUp = Static<typeof SignedUp>

/** The body that confirms the e-mail address, with the password of the account. */
export const ConfirmSignUp = strictObject(
  {
    token: Type.String({
      description: 'The token from the link in the mail.',
      minLength: 1,
      maxLength: 4_096,
    }),
    password: Password,
  },
  { examples: [{ token: 'v1.q5Zb0Jt3k1', password: 'correct horse battery' }] },
)
export type ConfirmSignUp = Static<typeof ConfirmSignUp>

export const ConfirmedSignUp = strictObject({
  confirmed: Type.Literal(true, { type: 'boolean' }),
})
export type ConfirmedSignUp = Static<typeof ConfirmedSignUp>
