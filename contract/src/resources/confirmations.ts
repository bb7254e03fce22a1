import { Type, type Static } from 'typebox'
import { Timestamp, strictObject } from '../schema/common.ts'
import { limits } from '../schema/limits.ts'
import { PasskeyAssertion } from './passkeys.ts'
import { RecoveryCode, TwoFactorCode } from './two-factor.ts'

/** The body that confirms a session: a second factor of the account. */
export const ConfirmSession = strictObject(
  {
    code: Type.Optional(TwoFactorCode),
    recoveryCode: Type.Optional(RecoveryCode),
    passkey: Type.Optional(PasskeyAssertion),
  },
  { examples: [{ code: '123456' }] },
)
export type ConfirmSession = Static<typeof ConfirmSession>

/** The response to a confirmation. */
export const ConfirmedSession = strictObject({
  confirmedUntil: Timestamp(
    `Until when the session may change what signs in: ${limits.confirmationMinutes} minutes from now.`,
  ),
})
export type ConfirmedSession = Static<typeof ConfirmedSession>
