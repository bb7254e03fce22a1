import { passkeySignIns } from '@everscan/contract/endpoints/accounts/passkey-sign-in.ts'
import { problem } from '@everscan/contract/problems/problem.ts'
import { findPasskey } from '../../catalogue/accounts/passkeys.ts'
import { signInWithPasskey } from '../../catalogue/accounts/sign-in.ts'
import { hashOfToken } from '../../catalogue/accounts/tokens.ts'
import { ApiError } from '../../errors.ts'
import type { ApiContext } from '../http/api-context.ts'
import { handler } from '../http/handler.ts'
import { networkOf } from '../../limits/networks.ts'
import { accountSource } from '../../product/accounts/request-sources.ts'
import { sessionTokenOf } from '../http/session-cookies.ts'
import { reportFailure, reportOutcome } from '../../product/accounts/account-outcomes.ts'
import { createChallenge } from '../../product/accounts/passkey-challenges.ts'
import { requestOptions } from '../../product/accounts/passkey-options.ts'
import { requireRelyingParty, verifyAssertion } from '../../product/accounts/passkey-verification.ts'
import { signedIn } from './sign-in.ts'

export const begin = handler(passkeySignIns.begin, {
  handle: (context) => {
    const relyingParty = requireRelyingParty(context)
    return requestOptions(relyingParty, { challenge: createChallenge(context, 'sign in') })
  },
})

export const signIn = handler(passkeySignIns.signIn, {
  handle: async (context, _caller, request) => {
    const { db, accounts, config, clock } = context
    const { passkey: assertion } = request.body
    requireRelyingParty(context)
    const tried = `passkey ${hashOfToken(assertion.id)} ${networkOf(request.ip)}`
    await accounts.attempts.begin(tried, clock())
    const passkey = await findPasskey(db, assertion.id)
    const refused = () => refusal(context, request, passkey?.userId)
    if (passkey === undefined) throw refused()
    const { log } = request
    const required = { passkey, purpose: 'sign in', userVerification: 'required', log } as const
    const use = await verifyAssertion(context, assertion, required)
    if (use === undefined) throw refused()
    const source = accountSource(request)
    const replacedToken = sessionTokenOf(request.headers, config.publicUrl)
    const begun = await signInWithPasskey(db, use, { replacedToken, source, nowMs: clock() })
    if (begun === undefined) throw refused()
    await accounts.attempts.succeed(tried)
    reportOutcome(context, request, { accountId: use.userId, action: 'sign-in.passkey' })
    return signedIn(context, request, begun)
  },
})

/** Reports the failure. The answer is the same for every reason, and for an unknown passkey. */
function refusal(
  context: ApiContext,
  request: Parameters<typeof reportFailure>[1],
  accountId: string | undefined,
): ApiError {
  reportFailure(context, request, { accountId, action: 'sign-in.wrong-passkey' })
  return new ApiError(401, 'UNAUTHORIZED', problem('passkeyUnknown'))
}
