// `npm run generate` writes this file from the table of endpoints.
import type { SignInOptions } from '@everscan/contract/resources/sign-in-options.ts'
import type { SignIn, SignedIn, SignedOut } from '@everscan/contract/resources/sessions.ts'
import type { PasskeyRequestOptions, PasskeySignIn } from '@everscan/contract/resources/passkeys.ts'
import type {
  ConfirmPasswordReset,
  ConfirmedPasswordReset,
  RequestPasswordReset,
  RequestedPasswordReset,
} from '@everscan/contract/resources/password-resets.ts'
import type {
  ConfirmSignUp,
  ConfirmedSignUp,
  SignUp,
  SignedUp,
} from '@everscan/contract/resources/sign-ups.ts'
import type { Service } from '../calling.ts'
import { readJson, type CallOptions } from '../send.ts'

export function authOf({ send }: Service) {
  const calls = {
    /**
     * Read what people can do without an account (sign up, request mails, use passkeys), and how
     * long scans are stored.
     */
    async options(options?: CallOptions): Promise<SignInOptions> {
      const path = '/auth/options'
      return readJson(await send({ method: 'GET', path, idempotent: true, options }))
    },

    /**
     * Sign in: begin a session. The session is in a cookie that pages cannot read. A session sent
     * with the request ends. An unknown e-mail address and a wrong password get the same response.
     * If the account uses two-factor sign-in, the password alone gets 401 TWO_FACTOR_REQUIRED, and
     * `details` has the fields that can carry the second factor, with the options for a passkey.
     * After five failed attempts, each further one from the same network has to wait longer. After
     * many from everywhere, a browser that never signed in to the account waits, too.
     */
    async signIn(body: SignIn, options?: CallOptions): Promise<SignedIn> {
      const path = '/auth/sign-in'
      return readJson(
        await send({ method: 'POST', path, body, idempotent: false, interactive: true, options }),
      )
    },

    /**
     * Sign out: end the session. The session is rejected from its next request on. Succeeds without
     * a session too.
     */
    async signOut(options?: CallOptions): Promise<SignedOut> {
      const path = '/auth/sign-out'
      return readJson(await send({ method: 'POST', path, idempotent: true, options }))
    },

    /**
     * Get the options for signing in with a passkey alone. The same for everybody: the person
     * chooses the account in the browser. 403 if browsers do not allow passkeys at PUBLIC_URL.
     */
    async beginPasskey(options?: CallOptions): Promise<PasskeyRequestOptions> {
      const path = '/auth/passkey/options'
      return readJson(await send({ method: 'POST', path, idempotent: true, interactive: true, options }))
    },

    /**
     * Sign in with a passkey alone: begin a session. Requires what the browser returned for the
     * options. No password and no other factor is needed, because the device checks who uses it.
     * The session is in a cookie that pages cannot read. A session sent with the request ends.
     */
    async signInWithPasskey(body: PasskeySignIn, options?: CallOptions): Promise<SignedIn> {
      const path = '/auth/passkey/sign-in'
      return readJson(
        await send({ method: 'POST', path, body, idempotent: false, interactive: true, options }),
      )
    },

    /**
     * Request a link for setting a new password. The link is mailed if the account exists and the
     * installation sends mails, and it works for 1 h. The response is always the same.
     */
    async requestPasswordReset(
      body: RequestPasswordReset,
      options?: CallOptions,
    ): Promise<RequestedPasswordReset> {
      const path = '/auth/password-reset'
      return readJson(
        await send({ method: 'POST', path, body, idempotent: false, interactive: true, options }),
      )
    },

    /**
     * Set a new password. Requires the part of the link after "#". All sessions of the account end;
     * two-factor sign-in stays on. A mailed link also confirms the e-mail address. If nobody had
     * confirmed it, second factors and passkeys are removed: somebody else may have added them. 404
     * if the token is unknown, used or expired.
     */
    async confirmPasswordReset(
      body: ConfirmPasswordReset,
      options?: CallOptions,
    ): Promise<ConfirmedPasswordReset> {
      const path = '/auth/password-reset/confirm'
      return readJson(
        await send({ method: 'POST', path, body, idempotent: false, interactive: true, options }),
      )
    },

    /**
     * Sign up: request an account with an organization of its own. 403 unless the installation
     * allows it (`SIGN_UP`). If the installation sends mails, the e-mail address must be confirmed
     * first, the password is chosen then, and the response does not reveal whether the address has
     * an account: 400 with a `password`. Otherwise `password` is required and the account is
     * created immediately, or 409 if the address already has one.
     */
    async signUp(body: SignUp, options?: CallOptions): Promise<SignedUp> {
      const path = '/auth/sign-up'
      return readJson(
        await send({ method: 'POST', path, body, idempotent: false, interactive: true, options }),
      )
    },

    /**
     * Confirm the e-mail address of a sign-up and choose the password, which creates the account.
     * Requires the part of the link after "#". If the address already has an account that nobody
     * has confirmed, it is taken over: its name and password are replaced, its sessions end, and
     * its second factors and passkeys are removed. 404 if the link has expired; 409 if it was
     * already used.
     */
    async confirmSignUp(body: ConfirmSignUp, options?: CallOptions): Promise<ConfirmedSignUp> {
      const path = '/auth/sign-up/confirm'
      return readJson(
        await send({ method: 'POST', path, body, idempotent: false, interactive: true, options }),
      )
    },
  }
  return calls
}
