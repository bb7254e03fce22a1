import { limits } from '../../schema/limits.ts'
import { PasskeyRequestOptions, PasskeySignIn } from '../../resources/passkeys.ts'
import { SignedIn } from '../../resources/sessions.ts'
import { endpoint } from '../endpoint.ts'

const tag = 'Signing in'

export const passkeySignIns = {
  begin: endpoint({
    id: 'beginPasskeySignIn',
    call: 'auth.beginPasskey',
    method: 'POST',
    repeatable: true,
    interactive: true,
    path: '/auth/passkey/options',
    role: 'public',
    triesPerMinute: limits.signInTriesPerMinute,
    tag,
    summary: 'Get the options for signing in with a passkey alone.',
    description:
      'The same for everybody: the person chooses the account in the browser. 403 if browsers do not allow passkeys at PUBLIC_URL.',
    status: 200,
    response: PasskeyRequestOptions,
  }),

  signIn: endpoint({
    id: 'signInWithPasskey',
    call: 'auth.signInWithPasskey',
    method: 'POST',
    interactive: true,
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
  }),
}
