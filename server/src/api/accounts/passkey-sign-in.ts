import { limits } from '@everscan/contract/schema/limits.ts'
import { PasskeyRequestOptions, PasskeySignIn } from '@everscan/contract/resources/passkeys.ts'
import { SignedIn } from '@everscan/contract/resources/sessions.ts'
import { findPasskey } from '../../catalogue/accounts/passkeys.ts'
import { signInWithPasskey } from '../../catalogue/accounts/sign-in.ts'
import { hashOfToken } from '../../catalogue/accounts/tokens.ts'
import { ApiError } from '../../errors.ts'
import type { ApiContext } from '../http/api-context.ts'
import { endpoint } from '../http/endpoint.ts'
import { networkOf } from '../../limits/networks.ts'
import { accountSource } from '../../product/accounts/request-sources.ts'
import { sessionTokenOf } from '../http/session-cookies.ts'
import { reportFailure, reportOutcome } from '../../product/accounts/account-outcomes.ts'
import { createChallenge } from '../../product/accounts/passkey-challenges.ts'
import { requestOptions } from '../../product/accounts/passkey-options.ts'
import { requireRelyingParty, verifyAssertion } from '../../product/accounts/passkey-verification.ts'
import { signedIn } from './sign-in.ts'

const tag = 'Signing in'

export const begin = endpoint({
  id: 'beginPasskeySignIn',
  method: 'POST',
  path: '/auth/passkey/options',
  role: 'public',
  triesPerMinute: limits.signInTriesPerMinute,
  tag,
  summary: 'Get the options for signing in with a passkey alone.',
  description:
    'The same for everybody: the person chooses the account in the browser. 403 if browsers do not allow passkeys at PUBLIC_URL.',
  status: 200,
  response: PasskeyRequestOptions,
  handle: (context) => {
    const relyingParty = requireRelyingParty(context)
    return requestOptions(relyingParty, { challenge: createChallenge(context, 'sign in') })
  },
})

export const signIn = endpoint({
  id: 'signInWithPasskey',
  method: 'POST',
  path: '/auth/passkey/sign-in',
  role: 'public',
  triesPerMinute: limits.signInTriesPerMinute,
  tag,
  summary: 'Sign in with a passkey alone: begin a session.',
  description:
    'Requires what the browser returned for the options. No password and no other factor is needed, because the device checks who uses it. The session is in a cookie that pages cannot read. A session sent with the request ends.',
  body: PasskeySignIn,
  status: 200,
  response: SignedIn,
  responseHeaders: { 'Set-Cookie': 'The session cookie, and the cookie of a known device.' },
  errors: [401],
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
  const message =
    'This passkey is unknown here or could not be checked. Try again, or sign in with your password.'
  return new ApiError(401, 'UNAUTHORIZED', message)
}
