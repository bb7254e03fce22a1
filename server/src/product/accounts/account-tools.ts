import type { Config } from '../../settings/settings.ts'
import { createSecretBox, type SecretBox } from '../../secret-box.ts'
import type { Mailer } from '../mails/mailer.ts'
import { ownLimiters, type Limiters } from '../../limits/limiters.ts'
import type { ProductContext } from '../product-context.ts'
import type { Brake } from '../../limits/account-brake.ts'
import type { Attempts } from '../../limits/attempt-limiter.ts'
import type { RateLimit } from '../../limits/rate-limit.ts'
import { FailureLog, type FailureNotes } from './failure-log.ts'

/** The dependencies of signing in, besides the catalogue. */
export type AccountTools = {
  /** Seals the secrets of authenticators. */
  twoFactorBox: SecretBox
  /** Seals challenges for passkeys. */
  challengeBox: SecretBox
  /** Seals sign-ups that wait for the confirmation of their e-mail address. */
  signUpBox: SecretBox
  /** Seals the links that confirm the address of an account. */
  emailConfirmationBox: SecretBox
  /** Seals the cookies of browsers that signed in before. */
  deviceBox: SecretBox
  attempts: Attempts
  brake: Brake
  /** Gathers failed attempts for the logs of accounts. */
  failures: FailureNotes
  signUp: Config['signUp']
  /** Undefined if the installation sends no mails. */
  mailer: Mailer | undefined
  /** Limits the mails that members of an organization send, and those about one account. */
  mailLimit: RateLimit
}

/** The dependencies of signing in, with the catalogue. */
export type AccountContext = Pick<ProductContext, 'db' | 'config' | 'clock'> & { accounts: AccountTools }

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
