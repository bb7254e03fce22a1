import { Type, type Static } from 'typebox'
import { strictObject } from '../schema/common.ts'
import { limits } from '../schema/limits.ts'
import { patterns } from '../schema/patterns.ts'
import { CurrentPassword } from './users.ts'

/** What an authenticator shows: 6 digits, for 30 seconds (RFC 6238). Each is good once. */
export const TwoFactorCode = Type.String({
  description: 'The 6 digits that the authenticator shows now; each is good once.',
  maxLength: 6,
  pattern: patterns.twoFactorCode,
  examples: ['123456'],
})

/** In place of a code when the authenticator is lost. Letter case, spaces and dashes do not matter. */
export const RecoveryCode = Type.String({
  description:
    'A recovery code in place of `code`; each is good once. Letter case, spaces and dashes do not matter.',
  minLength: 1,
  maxLength: 40,
  examples: ['7K3Q-X9AB-C2DE-F4GH'],
})

/** The body that begins two-factor sign-in. */
export const BeginTwoFactor = strictObject(
  { currentPassword: CurrentPassword },
  { examples: [{ currentPassword: 'correct horse battery' }] },
)
export type BeginTwoFactor = Static<typeof BeginTwoFactor>

/** What an authenticator is given; it counts from the first code that is confirmed. */
export const BegunTwoFactor = strictObject({
  secret: Type.String({
    description: 'In base 32, to be typed in; shown this once.',
    examples: ['JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'],
  }),
  otpauthUri: Type.String({
    description: 'The same for a QR code.',
    examples: ['otpauth://totp/Everscan:ada%40example.com?secret=JBSWY3DPEHPK3PXP&issuer=Everscan'],
  }),
})
export type BegunTwoFactor = Static<typeof BegunTwoFactor>

/** The body that proves that the authenticator has the secret. */
export const ConfirmTwoFactor = strictObject({ code: TwoFactorCode }, { examples: [{ code: '123456' }] })
export type ConfirmTwoFactor = Static<typeof ConfirmTwoFactor>

/** New recovery codes; those before them are void. */
export const RecoveryCodes = strictObject({
  recoveryCodes: Type.Array(Type.String(), {
    description: 'To be kept apart from the authenticator; each is good once. Shown this once.',
    minItems: limits.recoveryCodes,
    maxItems: limits.recoveryCodes,
    examples: [Array.from({ length: limits.recoveryCodes }, () => '7K3Q-X9AB-C2DE-F4GH')],
  }),
})
export type RecoveryCodes = Static<typeof RecoveryCodes>

/** The body that makes new recovery codes. */
export const RenewRecoveryCodes = BeginTwoFactor
export type RenewRecoveryCodes = Static<typeof RenewRecoveryCodes>

/** The body that turns two-factor sign-in off: the password, and one of the codes. */
export const EndTwoFactor = strictObject(
  {
    currentPassword: CurrentPassword,
    code: Type.Optional(TwoFactorCode),
    recoveryCode: Type.Optional(RecoveryCode),
  },
  { examples: [{ currentPassword: 'correct horse battery', code: '123456' }] },
)
export type EndTwoFactor = Static<typeof EndTwoFactor>
