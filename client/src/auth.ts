import type {
  ConfirmedPasswordReset,
  ConfirmPasswordReset,
  RequestedPasswordReset,
  RequestPasswordReset,
} from '@everscan/contract/resources/password-resets.ts'
import type { SignInOptions } from '@everscan/contract/resources/sign-in-options.ts'
import type { SignedIn, SignedOut, SignIn } from '@everscan/contract/resources/sessions.ts'
import type {
  ConfirmedSignUp,
  ConfirmSignUp,
  SignedUp,
  SignUp,
} from '@everscan/contract/resources/sign-ups.ts'
import { readJson, type CallOptions, type Send } from './send.ts'

/** Signing in, for a client without a key in a browser: the session is in a cookie that pages cannot read. */
export type Auth = ReturnType<typeof authCalls>

const interactive = true

export function authCalls(send: Send) {
  return {
    /** What people can do by themselves here: make an account, get mails. */
    async options(options?: CallOptions): Promise<SignInOptions> {
      return readJson(await send({ method: 'GET', path: '/auth/options', idempotent: true, options }))
    },

    /** Begins a session. An `AuthenticationError` whose `code` is TWO_FACTOR_REQUIRED asks for `code` or `recoveryCode` too. */
    async signIn(body: SignIn, options?: CallOptions): Promise<SignedIn> {
      return readJson(
        await send({ method: 'POST', path: '/auth/sign-in', body, idempotent: false, interactive, options }),
      )
    },

    /** Ends the session, if there is one. */
    async signOut(options?: CallOptions): Promise<SignedOut> {
      return readJson(await send({ method: 'POST', path: '/auth/sign-out', idempotent: true, options }))
    },

    /** Asks for a mail with an address for a new password; the answer does not say whether there is such an account. */
    async requestPasswordReset(
      body: RequestPasswordReset,
      options?: CallOptions,
    ): Promise<RequestedPasswordReset> {
      const path = '/auth/password-reset'
      return readJson(await send({ method: 'POST', path, body, idempotent: false, interactive, options }))
    },

    /** Sets a new password with the part of the address behind "#". */
    async confirmPasswordReset(
      body: ConfirmPasswordReset,
      options?: CallOptions,
    ): Promise<ConfirmedPasswordReset> {
      const path = '/auth/password-reset/confirm'
      return readJson(await send({ method: 'POST', path, body, idempotent: false, interactive, options }))
    },

    /** Asks for an account and an organization, where the service allows it; `mailed` says whether a mail comes first. */
    async signUp(body: SignUp, options?: CallOptions): Promise<SignedUp> {
      return readJson(
        await send({ method: 'POST', path: '/auth/sign-up', body, idempotent: false, interactive, options }),
      )
    },

    /** Makes the account, with the part of the mailed address behind "#". */
    async confirmSignUp(body: ConfirmSignUp, options?: CallOptions): Promise<ConfirmedSignUp> {
      const path = '/auth/sign-up/confirm'
      return readJson(await send({ method: 'POST', path, body, idempotent: false, interactive, options }))
    },
  }
}
