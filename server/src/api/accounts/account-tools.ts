import type { Config } from '../../settings.ts'
import { createSecretBox } from '../../secret-box.ts'
import type { Mailer } from '../http/mailer.ts'
import { AccountBrake } from '../http/limits/account-brake.ts'
import { createRateLimit } from '../http/limits/rate-limit.ts'
import { AttemptLimiter } from '../http/limits/attempt-limiter.ts'
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
}: {
  secret: string
  signUp?: Config['signUp']
  mailer?: Mailer | undefined
}): AccountTools {
  return {
    twoFactorBox: createSecretBox(secret, 'two-factor secrets'),
    challengeBox: createSecretBox(secret, 'passkey challenges'),
    signUpBox: createSecretBox(secret, 'sign-ups'),
    emailConfirmationBox: createSecretBox(secret, 'e-mail confirmations'),
    deviceBox: createSecretBox(secret, 'known devices'),
    attempts: new AttemptLimiter(),
    brake: new AccountBrake(),
    failures: new FailureLog(),
    signUp,
    mailer,
    mailLimit: createRateLimit(mailsPerMinute),
  }
}
