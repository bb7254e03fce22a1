import { Type, type Static } from 'typebox'
import { Id, Line, Timestamp, strictObject } from './common.ts'
import { limits } from './limits.ts'
import { patterns } from './patterns.ts'

/** An e-mail address as people sign in with; letter case does not matter. */
export const EmailAddress = Type.String({
  description: 'E-mail address; letter case does not matter.',
  minLength: 1,
  maxLength: limits.emailCharsMax,
  pattern: patterns.email,
  examples: ['ada@example.com'],
})

/** Any text; its length is the only rule, as NIST SP 800-63B recommends. */
export const Password = Type.String({
  description: `Password, ${limits.passwordCharsMin} to ${limits.passwordCharsMax} characters of any kind.`,
  minLength: limits.passwordCharsMin,
  maxLength: limits.passwordCharsMax,
})

/** A person with an account. */
export const User = strictObject({
  id: Id('usr'),
  email: Type.String({ description: 'E-mail address.' }),
  name: Type.String({ description: 'Display name.' }),
  createdAt: Timestamp('When the account was made.'),
})
export type User = Static<typeof User>

/** The body that changes the caller's own account; a new password needs the current one. */
export const UpdateUser = strictObject({
  name: Type.Optional(Line(limits.nameCharsMax, 'Display name.')),
  password: Type.Optional(Password),
  currentPassword: Type.Optional(
    Type.String({ description: 'The password until now.', maxLength: limits.passwordCharsMax }),
  ),
})
export type UpdateUser = Static<typeof UpdateUser>
