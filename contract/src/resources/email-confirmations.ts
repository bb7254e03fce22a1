import { Type, type Static } from 'typebox'
import { strictObject } from '../schema/common.ts'

/** The response to a request for a mail with a link that confirms the caller's address. */
export const RequestedEmailConfirmation = strictObject({
  mailed: Type.Literal(true, { type: 'boolean' }),
})
export type RequestedEmailConfirmation = Static<typeof RequestedEmailConfirmation>

/** The body that confirms the e-mail address of the signed-in account. */
export const ConfirmEmail = strictObject(
  {
    token: Type.String({
      description: 'The token from the link in the mail.',
      minLength: 1,
      maxLength: 4_096,
    }),
  },
  { examples: [{ token: 'v1.q5Zb0Jt3k1' }] },
)
export type ConfirmEmail = Static<typeof ConfirmEmail>
