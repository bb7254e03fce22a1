import type { SecretBox } from '../secret-box.ts'
import { createSecretBox } from '../secret-box.ts'
import { createTries, type Tries } from './tries.ts'

/** What signing in works with, besides the catalogue. */
export type AccountTools = {
  /** For the secrets of authenticators. */
  twoFactorBox: SecretBox
  tries: Tries
}

export function createAccountTools({ secret }: { secret: string }): AccountTools {
  return {
    twoFactorBox: createSecretBox(secret, 'two-factor secrets'),
    tries: createTries(),
  }
}
