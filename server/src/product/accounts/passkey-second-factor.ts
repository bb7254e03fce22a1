import { problem, type FieldProblem } from '@everscan/contract/problems/problem.ts'
import type { PasskeyAssertion } from '@everscan/contract/resources/passkeys.ts'
import { findPasskey, listPasskeys, type PasskeyUse } from '../../catalogue/accounts/passkeys.ts'
import { readSecondFactors } from '../../catalogue/accounts/second-factors.ts'
import { ApiError } from '../../errors.ts'
import type { AccountContext } from './account-tools.ts'
import type { Log } from '../../log.ts'
import { createChallenge, type ChallengePurpose } from './passkey-challenges.ts'
import { requestOptions } from './passkey-options.ts'
import { verifyAssertion } from './passkey-verification.ts'
import { relyingPartyOf } from './relying-party.ts'

/** Verifies a passkey as second factor of an account. Returns undefined if it is refused. */
export async function verifySecondFactor(
  context: AccountContext,
  { log }: { log: Pick<Log, 'info'> },
  { userId, assertion, purpose }: { userId: string; assertion: PasskeyAssertion; purpose: ChallengePurpose },
): Promise<PasskeyUse | undefined> {
  const passkey = await findPasskey(context.db, assertion.id)
  if (passkey === undefined || passkey.userId !== userId) return undefined
  // The password is the other factor, or the session that began with it.
  const userVerification = 'preferred'
  return verifyAssertion(context, assertion, { passkey, purpose, userVerification, log })
}

/**
 * The refusal of a correct password without a second factor. Its details are the fields that can
 * carry one, and the options for a passkey of this account.
 */
export async function secondFactorRequired(context: AccountContext, userId: string): Promise<ApiError> {
  const details = await factorDetails(context, userId, signInPurpose(userId))
  const found = problem('secondFactorMissing', { fields: pathsOf(details) })
  return new ApiError(401, 'TWO_FACTOR_REQUIRED', found, { details })
}

/**
 * Returns the fields that can carry a second factor of an account, with the options for a passkey.
 */
export async function factorDetails(
  context: AccountContext,
  userId: string,
  purpose: ChallengePurpose,
): Promise<FieldProblem[]> {
  const { authenticator } = await readSecondFactors(context.db, userId)
  return [
    ...(await passkeyDetails(context, userId, purpose)),
    ...(authenticator ? [{ path: 'code', ...problem('twoFactorCodeForm') }] : []),
    { path: 'recoveryCode', ...problem('notRecoveryCode') },
  ]
}

/** The fields of details, for a message. */
export function pathsOf(details: readonly FieldProblem[]): string {
  return details.map(({ path }) => `"${path}"`).join(' or ')
}

/** The purpose of a challenge for a passkey after the password. */
export function signInPurpose(userId: string): ChallengePurpose {
  return `second factor of ${userId}`
}

async function passkeyDetails(
  context: AccountContext,
  userId: string,
  purpose: ChallengePurpose,
): Promise<(FieldProblem & { options: object })[]> {
  const relyingParty = relyingPartyOf(context.config.publicUrl)
  const passkeys = await listPasskeys(context.db, userId)
  if (relyingParty === undefined || passkeys.length === 0) return []
  const challenge = createChallenge(context, purpose)
  const options = requestOptions(relyingParty, { challenge, passkeys })
  return [{ path: 'passkey', ...problem('notPasskeyAnswer'), options }]
}
