import { Type, type Static } from 'typebox'
import { strictObject } from '../schema/common.ts'
import { limits } from '../schema/limits.ts'
import { patterns } from '../schema/patterns.ts'
import { CurrentPassword } from './users.ts'

/** A code of an authenticator: 6 digits, shown for 30 seconds (RFC 6238). Each code works once. */
export const TwoFactorCode = Type.String({
  description: 'The 6 digits that the authenticator shows now; each code works once.',
  maxLength: 6,
  pattern: patterns.twoFactorCode,
  examples: ['123456'],
})

/**
 * Replaces a code or a passkey if the device is lost. Letter case, spaces and dashes are ignored.
 */
export const RecoveryCode = Type.String({
  description:
    'A recovery code, instead of `code` or `passkey`; each works once. Letter case, spaces and dashes are ignored.',
  minLength: 1,
  maxLength: 40,
  examples: ['7K3Q-X9AB-C2DE-F4GH-5JKM-6NPQ'],
})

/** The body that starts setting up two-factor sign-in. */
export const BeginTwoFactor = strictObject(
  { currentPassword: CurrentPassword },
  { examples: [{ currentPassword: 'correct horse battery' }] },
)
export type BeginTwoFactor = Static<typeof BeginTwoFactor>

/**
 * The secret for an authenticator. Sign-in does not require a code until the secret is confirmed.
 */
export const BegunTwoFactor = strictObject({
  secret: Type.String({
    description: 'The secret in base 32, to type in; shown only once.',
    examples: ['JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'],
  }),
  otpauthUri: Type.String({
    description: 'The secret as a URI, to show as a QR code.',
    examples: ['otpauth://totp/Everscan:ada%40example.com?secret=JBSWY3DPEHPK3PXP&issuer=Everscan'],
  }),
})
export type BegunTwoFactor = Static<typeof BegunTwoFactor>

/** The body that proves that the authenticator has the secret. */
export const ConfirmTwoFactor = strictObject({ code: TwoFactorCode }, { examples: [{ code: '123456' }] })
export type ConfirmTwoFactor = Static<typeof ConfirmTwoFactor>

/** New recovery codes, which invalidate the earlier ones. */
export const RecoveryCodes = strictObject({
  recoveryCodes: Type.Array(Type.String(), {
    description:
      'Recovery codes, to be stored apart from the authenticator; each works once. Shown only once.',
    minItems: limits.recoveryCodes,
    maxItems: limits.recoveryCodes,
    examples: [Array.from({ length: limits.recoveryCodes }, () => '7K3Q-X9AB-C2DE-F4GH-5JKM-6NPQ')],
  }),
})
export type RecoveryCodes = Static<typeof RecoveryCodes>

/** The body that replaces the recovery codes. */
export const RenewRecoveryCodes = BeginTwoFactor
export type RenewRecoveryCodes = Static<typeof RenewRecoveryCodes>

/**
 * The body that turns two-factor sign-in off: the password, and one of the codes unless the session
 * is confirmed.
 */
export const EndTwoFactor = strictObject(
  {
    currentPassword: CurrentPassword,
    code: Type.Optional(TwoFactorCode),
    recoveryCode: Type.Optional(RecoveryCode),
  },
  { examples: [{ currentPassword: 'correct horse battery', code: '123456' }] },
)
export type EndTwoFactor = Static<typeof EndTwoFactor>
