import type {
  ConfirmedPasswordReset,
  ConfirmPasswordReset,
  RequestedPasswordReset,
  RequestPasswordReset,
} from '@everscan/contract/resources/password-resets.ts'
import type { PasskeyRequestOptions, PasskeySignIn } from '@everscan/contract/resources/passkeys.ts'
import type { SignInOptions } from '@everscan/contract/resources/sign-in-options.ts'
import type { SignedIn, SignedOut, SignIn } from '@everscan/contract/resources/sessions.ts'
import type {
  ConfirmedSignUp,
  ConfirmSignUp,
  SignedUp,
  SignUp,
} from '@everscan/contract/resources/sign-ups.ts'
import { readJson, type CallOptions, type Send } from './send.ts'

/** Sign-in for a client in a browser, without a key. Pages cannot read the session's cookie. */
export type Auth = ReturnType<typeof authCalls>

const interactive = true

export function authCalls(send: Send) {
  return {
    /** Returns what users can do by themselves on this service: sign up, get mails. */
    async options(options?: CallOptions): Promise<SignInOptions> {
      return readJson(await send({ method: 'GET', path: '/auth/options', idempotent: true, options }))
    },

    /**
     * Begins a session. If `code` of an `AuthenticationError` is TWO_FACTOR_REQUIRED, send one of
     * the fields in its `details` too. The one for `passkey` has the options for
     * `navigator.credentials.get`, in their JSON form.
     */
    async signIn(body: SignIn, options?: CallOptions): Promise<SignedIn> {
      return readJson(
        await send({ method: 'POST', path: '/auth/sign-in', body, idempotent: false, interactive, options }),
      )
    },

    /**
     * Returns the options for `navigator.credentials.get`, in their JSON form, to sign in with a
     * passkey alone.
     */
    async beginPasskey(options?: CallOptions): Promise<PasskeyRequestOptions> {
      const path = '/auth/passkey/options'
      return readJson(await send({ method: 'POST', path, idempotent: true, interactive, options }))
    },

    /** Begins a session with what `navigator.credentials.get` returned, in its JSON form. */
    async signInWithPasskey(body: PasskeySignIn, options?: CallOptions): Promise<SignedIn> {
      const path = '/auth/passkey/sign-in'
      return readJson(await send({ method: 'POST', path, body, idempotent: false, interactive, options }))
    },

    /** Ends the session, if there is one. */
    async signOut(options?: CallOptions): Promise<SignedOut> {
      return readJson(await send({ method: 'POST', path: '/auth/sign-out', idempotent: true, options }))
    },

    /** Requests a mail with a link for a new password. Hides whether the account exists. */
    async requestPasswordReset(
      body: RequestPasswordReset,
      options?: CallOptions,
    ): Promise<RequestedPasswordReset> {
      const path = '/auth/password-reset'
      return readJson(await send({ method: 'POST', path, body, idempotent: false, interactive, options }))
    },

    /** Sets a new password with the part of the link after "#". */
    async confirmPasswordReset(
      body: ConfirmPasswordReset,
      options?: CallOptions,
    ): Promise<ConfirmedPasswordReset> {
      const path = '/auth/password-reset/confirm'
      return readJson(await send({ method: 'POST', path, body, idempotent: false, interactive, options }))
    },

    /**
     * Signs up for an account and an organization, if the service allows it. `mailed` tells whether
     * to wait for a mail. Send a `password` only to a service that sends none: see `options`.
     */
    async signUp(body: SignUp, options?: CallOptions): Promise<SignedUp> {
      return readJson(
        await send({ method: 'POST', path: '/auth/sign-up', body, idempotent: false, interactive, options }),
      )
    },

    /** Creates the account with the part of the mailed link after "#", and its password. */
    async confirmSignUp(body: ConfirmSignUp, options?: CallOptions): Promise<ConfirmedSignUp> {
      const path = '/auth/sign-up/confirm'
      return readJson(await send({ method: 'POST', path, body, idempotent: false, interactive, options }))
    },
  }
}
