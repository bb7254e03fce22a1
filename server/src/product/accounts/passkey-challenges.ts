import { limits } from '@everscan/contract/schema/limits.ts'
import type { Challenge } from '../../catalogue/accounts/used-challenges.ts'
import { createToken } from '../../catalogue/accounts/tokens.ts'
import type { AccountContext } from './account-tools.ts'

/** The purpose of a challenge. It is sealed under this name, so nothing else accepts it. */
export type ChallengePurpose =
  | 'sign in'
  | `second factor of ${string}`
  /** Of an account, in a session: the password was checked when the challenge was made. */
  | `passkey for ${string} in ${string}`
  /** Of an account, in a session. */
  | `confirmation of ${string} in ${string}`

export const challengeMs = limits.passkeyChallengeMinutes * 60_000

/**
 * Returns a new challenge, in base64url. It exists only in the answer and in what the browser sends
 * back, so that strangers cannot fill a table by asking for challenges.
 */
export function createChallenge({ accounts, clock }: AccountContext, purpose: ChallengePurpose): string {
  const challenge: Challenge = { id: createToken(), expiresAtMs: clock() + challengeMs }
  const sealed = accounts.challengeBox.seal(JSON.stringify(challenge), purpose)
  return Buffer.from(sealed).toString('base64url')
}

/**
 * Opens a challenge that a browser sent back. Returns undefined if it is not one of ours for this
 * purpose, or has expired. Whether it was used before is known to `useChallenge`.
 */
export function openChallenge(
  { accounts, clock }: AccountContext,
  encoded: string,
  purpose: ChallengePurpose,
): Challenge | undefined {
  const opened = accounts.challengeBox.open(Buffer.from(encoded, 'base64url').toString(), purpose)
  if (opened === undefined) return undefined
  const challenge = JSON.parse(opened) as Challenge
  return challenge.expiresAtMs > clock() ? challenge : undefined
}
