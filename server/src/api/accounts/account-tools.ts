import type { Config } from '../../settings.ts'
import { createSecretBox } from '../../secret-box.ts'
import type { Mailer } from '../http/mails/mailer.ts'
import { ownLimiters, type Limiters } from '../http/limits/limiters.ts'
import type { AccountTools } from '../http/api-context.ts'
import { FailureLog } from './failure-log.ts'

/**
 * Mails that one organization may send, and mails to one account about its changes. Further ones
 * are not sent; responses and the log say so.
 */
const mailsPerMinute = 20

export function createAccountTools({
  secret,
  signUp = 'off',
  mailer,
  limiters = ownLimiters,
}: {
  secret: string
  signUp?: Config['signUp']
  mailer?: Mailer | undefined
  limiters?: Limiters | undefined
}): AccountTools {
  return {
    twoFactorBox: createSecretBox(secret, 'two-factor secrets'),
    challengeBox: createSecretBox(secret, 'passkey challenges'),
    signUpBox: createSecretBox(secret, 'sign-ups'),
    emailConfirmationBox: createSecretBox(secret, 'e-mail confirmations'),
    deviceBox: createSecretBox(secret, 'known devices'),
    attempts: limiters.attempts('accounts'),
    brake: limiters.brake('accounts'),
    failures: new FailureLog(),
    signUp,
    mailer,
    mailLimit: limiters.rate('mails', mailsPerMinute),
  }
}
