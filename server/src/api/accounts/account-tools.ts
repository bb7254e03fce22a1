import type { Config } from '../../config.ts'
import { createSecretBox, type SecretBox } from '../../secret-box.ts'
import type { Mailer } from '../http/mailer.ts'
import { createRateLimit, type RateLimit } from '../http/rate-limit.ts'
import { createTries, type Tries } from '../http/tries.ts'

/** What signing in works with, besides the catalogue. */
export type AccountTools = {
  /** For the secrets of authenticators. */
  twoFactorBox: SecretBox
  /** For accounts that wait until their address is confirmed. */
  signUpBox: SecretBox
  tries: Tries
  signUp: Config['signUp']
  /** Undefined: the installation sends no mails. */
  mailer: Mailer | undefined
  /** Of mails that members have sent to others, by organization. */
  mailLimit: RateLimit
}

/** Mails of one organization; more of them are not sent, and the answers say so. */
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
    tries: createTries(),
    signUp,
    mailer,
    mailLimit: createRateLimit(mailsPerMinute),
  }
}
