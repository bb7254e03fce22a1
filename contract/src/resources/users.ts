import { Type, type Static } from 'typebox'
import { Id, Line, Timestamp, strictObject } from '../schema/common.ts'
import { limits } from '../schema/limits.ts'
import { patterns } from '../schema/patterns.ts'

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

/** A password that is to be compared: whatever its length was when it was chosen. */
export const CurrentPassword = Type.String({
  description: 'The password as it is now.',
  minLength: 1,
  maxLength: limits.passwordCharsMax,
  examples: ['correct horse battery'],
})

/** A person with an account. */
export const User = strictObject({
  id: Id('usr'),
  email: Type.String({ description: 'E-mail address.' }),
  name: Type.String({ description: 'Display name.' }),
  twoFactor: Type.Boolean({ description: 'Whether signing in needs a code too.' }),
  createdAt: Timestamp('When the account was made.'),
})
export type User = Static<typeof User>

/** The body that changes the caller's own account. */
export const UpdateUser = strictObject(
  { name: Line(limits.nameCharsMax, 'Display name.') },
  { examples: [{ name: 'Ada Lovelace' }] },
)
export type UpdateUser = Static<typeof UpdateUser>

/** The body that changes the caller's own password. All sessions end; who asks gets a new one. */
export const ChangePassword = strictObject(
  { currentPassword: CurrentPassword, newPassword: Password },
  { examples: [{ currentPassword: 'correct horse battery', newPassword: 'another long password' }] },
)
export type ChangePassword = Static<typeof ChangePassword>
