import type { Config } from '../../config.ts'
import { createSecretBox } from '../../secret-box.ts'
import type { Mailer } from '../http/mailer.ts'
import { createRateLimit } from '../http/limits/rate-limit.ts'
import { AttemptLimiter } from '../http/limits/attempt-limiter.ts'
import type { AccountTools } from '../http/api-context.ts'

/** Mails that one organization may send. Further ones are not sent, and the responses say so. */
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
    signUpBox: createSecretBox(secret, 'sign-ups'),
    attempts: new AttemptLimiter(),
    signUp,
    mailer,
    mailLimit: createRateLimit(mailsPerMinute),
  }
}
