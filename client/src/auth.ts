import type { SignedIn, SignedOut, SignIn } from '@everscan/contract/sessions.ts'
import { readJson, type CallOptions, type Send } from './send.ts'

/** Signing in, for a client without a key in a browser: the session is in a cookie that pages cannot read. */
export type Auth = ReturnType<typeof authCalls>

export function authCalls(send: Send) {
  return {
    /** Begins a session. An `AuthenticationError` whose `code` is TWO_FACTOR_REQUIRED asks for `code` or `recoveryCode` too. */
    async signIn(body: SignIn, options?: CallOptions): Promise<SignedIn> {
      return readJson(await send({ method: 'POST', path: '/auth/sign-in', body, idempotent: false, options }))
    },

    /** Ends the session, if there is one. */
    async signOut(options?: CallOptions): Promise<SignedOut> {
      return readJson(await send({ method: 'POST', path: '/auth/sign-out', idempotent: true, options }))
    },
  }
}
