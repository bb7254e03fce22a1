import { Type, type Static } from 'typebox'
import { Id, Line, Timestamp, nullable, oneOf, strictObject } from '../schema/common.ts'
import { limits } from '../schema/limits.ts'
import { patterns } from '../schema/patterns.ts'
import { dashboardLanguages } from '../schema/dashboard-languages.ts'

const addressForm = {
  description: 'E-mail address; letter case is ignored.',
  minLength: 1,
  maxLength: limits.emailCharsMax,
  'x-trim': true,
  examples: ['ada@example.com'],
}

/** An e-mail address that mails are to reach; letter case is ignored. */
export const EmailAddress = Type.String({ ...addressForm, pattern: patterns.mailAddress })

/** The address of an account that exists. Earlier releases took addresses that are refused now. */
export const KnownEmailAddress = Type.String({ ...addressForm, pattern: patterns.email })

/**
 * Any text. The rules are its length, and that others cannot guess it, as NIST SP 800-63B
 * recommends: see `hashNewPassword` of the server.
 */
export const Password = Type.String({
  description: `Password, ${limits.passwordCharsMin} to ${limits.passwordCharsMax} characters of any kind. 400 for a common password, or one made of the account's own name or address.`,
  minLength: limits.passwordCharsMin,
  maxLength: limits.passwordCharsMax,
})

/** The current password, for comparison: earlier versions may have allowed other lengths. */
export const CurrentPassword = Type.String({
  description: 'The current password.',
  minLength: 1,
  maxLength: limits.passwordCharsMax,
  examples: ['correct horse battery'],
})

/** A person with an account. */
export const User = strictObject({
  id: Id('usr'),
  email: Type.String({ description: 'E-mail address.', examples: ['ada@example.com'] }),
  name: Type.String({ description: 'Display name.' }),
  language: nullable(
    oneOf(dashboardLanguages, {
      description: 'Language of mails to the account; null until its user opens the dashboard.',
    }),
  ),
  twoFactor: Type.Boolean({
    description: 'Whether sign-in with the password also requires a second factor.',
  }),
  authenticator: Type.Boolean({
    description: 'Whether codes of an authenticator app are a second factor.',
  }),
  createdAt: Timestamp('When the account was created.'),
  emailConfirmedAt: nullable(
    Timestamp('When the owner proved that mails to the address arrive; null if nobody did yet.'),
  ),
})
export type User = Static<typeof User>

/** The body that updates the caller's account: at least one field. */
export const UpdateUser = strictObject(
  {
    name: Type.Optional(Line(limits.nameCharsMax, 'Display name.')),
    language: Type.Optional(oneOf(dashboardLanguages, { description: 'Language of mails to the account.' })),
  },
  { minProperties: 1, examples: [{ name: 'Ada Lovelace' }] },
)
export type UpdateUser = Static<typeof UpdateUser>

/** The body that changes the caller's password. All sessions end; the caller gets a new one. */
export const ChangePassword = strictObject(
  { currentPassword: CurrentPassword, newPassword: Password },
  { examples: [{ currentPassword: 'correct horse battery', newPassword: 'another long password' }] },
)
export type ChangePassword = Static<typeof ChangePassword>
