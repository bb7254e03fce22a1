import type { PasskeyAssertion } from '@everscan/contract/resources/passkeys.ts'
import { findPasskey, listPasskeys, type PasskeyUse } from '../../catalogue/accounts/passkeys.ts'
import { readSecondFactors } from '../../catalogue/accounts/second-factors.ts'
import { ApiError, type ProblemDetail } from '../../errors.ts'
import type { ApiContext } from '../http/api-context.ts'
import type { EndpointInput } from '../http/endpoint.ts'
import { createChallenge, type ChallengePurpose } from './passkey-challenges.ts'
import { requestOptions } from './passkey-options.ts'
import { verifyAssertion } from './passkey-verification.ts'
import { relyingPartyOf } from './relying-party.ts'

/** Verifies a passkey as second factor of an account. Returns undefined if it is refused. */
export async function verifySecondFactor(
  context: ApiContext,
  { log }: Pick<EndpointInput, 'log'>,
  { userId, assertion }: { userId: string; assertion: PasskeyAssertion },
): Promise<PasskeyUse | undefined> {
  const passkey = await findPasskey(context.db, assertion.id)
  if (passkey === undefined || passkey.userId !== userId) return undefined
  // The password is the other factor.
  const userVerification = 'preferred'
  return verifyAssertion(context, assertion, { passkey, purpose: purposeOf(userId), userVerification, log })
}

/**
 * The refusal of a correct password without a second factor. Its details are the fields that can
 * carry one, and the options for a passkey of this account.
 */
export async function secondFactorRequired(context: ApiContext, userId: string): Promise<ApiError> {
  const { authenticator } = await readSecondFactors(context.db, userId)
  const details = [
    ...(await passkeyDetails(context, userId)),
    ...(authenticator
      ? [{ path: 'code', message: 'must be the 6 digits that the authenticator shows' }]
      : []),
    { path: 'recoveryCode', message: 'must be a recovery code that was not used yet' },
  ]
  const fields = details.map(({ path }) => `"${path}"`).join(' or ')
  const message = `This account uses two-factor sign-in: send ${fields} too.`
  return new ApiError(401, 'TWO_FACTOR_REQUIRED', message, { details })
}

async function passkeyDetails(
  context: ApiContext,
  userId: string,
): Promise<(ProblemDetail & { options: object })[]> {
  const relyingParty = relyingPartyOf(context.config.publicUrl)
  const passkeys = await listPasskeys(context.db, userId)
  if (relyingParty === undefined || passkeys.length === 0) return []
  const challenge = createChallenge(context, purposeOf(userId))
  const options = requestOptions(relyingParty, { challenge, passkeys })
  return [{ path: 'passkey', message: 'must be the answer of a passkey to "options"', options }]
}

function purposeOf(userId: string): ChallengePurpose {
  return `second factor of ${userId}`
}
