import { limits } from '../../schema/limits.ts'
import { SignIn, SignedIn, SignedOut } from '../../resources/sessions.ts'
import { endpoint } from '../endpoint.ts'

const tag = 'Signing in'

export const signIns = {
  signIn: endpoint({
    id: 'signIn',
    call: 'auth.signIn',
    method: 'POST',
    interactive: true,
    path: '/auth/sign-in',
    role: 'public',
    triesPerMinute: limits.signInTriesPerMinute,
    tag,
    summary: 'Sign in: begin a session.',
    description:
      'The session is in a cookie that pages cannot read. A session sent with the request ends. An unknown e-mail address and a wrong password get the same response. If the account uses two-factor sign-in, the password alone gets 401 TWO_FACTOR_REQUIRED, and `details` has the fields that can carry the second factor, with the options for a passkey. After five failed attempts, each further one from the same network has to wait longer. After many from everywhere, a browser that never signed in to the account waits, too.',
    body: SignIn,
    status: 200,
    response: SignedIn,
    responseHeaders: { 'Set-Cookie': 'The session cookie, and the cookie of a known device.' },
    errors: [401],
  }),

  signOut: endpoint({
    id: 'signOut',
    call: 'auth.signOut',
    method: 'POST',
    repeatable: true,
    path: '/auth/sign-out',
    role: 'public',
    tag,
    summary: 'Sign out: end the session.',
    description: 'The session is rejected from its next request on. Succeeds without a session too.',
    status: 200,
    response: SignedOut,
    responseHeaders: { 'Set-Cookie': 'Deletes the session cookie.' },
  }),
}
