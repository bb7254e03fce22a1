// `npm run generate` writes this file from the table of endpoints.
import type { LeftOrganization } from '@everscan/contract/resources/organizations.ts'
import type { ChangePassword, UpdateUser, User } from '@everscan/contract/resources/users.ts'
import type { EndedSessions, SessionPage, SignedIn } from '@everscan/contract/resources/sessions.ts'
import type {
  ConfirmEmail,
  RequestedEmailConfirmation,
} from '@everscan/contract/resources/email-confirmations.ts'
import type { AccountLogPage } from '@everscan/contract/resources/account-log.ts'
import type { PageQuery } from '@everscan/contract/schema/pages.ts'
import type { Deleted } from '@everscan/contract/schema/common.ts'
import type { ConfirmSession, ConfirmedSession } from '@everscan/contract/resources/confirmations.ts'
import type {
  AddPasskey,
  AddedPasskey,
  BeginPasskey,
  Passkey,
  PasskeyCreationOptions,
  PasskeyPage,
  RenamePasskey,
} from '@everscan/contract/resources/passkeys.ts'
import type {
  BeginTwoFactor,
  BegunTwoFactor,
  ConfirmTwoFactor,
  EndTwoFactor,
  RecoveryCodes,
} from '@everscan/contract/resources/two-factor.ts'
import type { Service } from '../calling.ts'
import { pathOf, readJson, type CallOptions } from '../send.ts'

export function meOf({ send }: Service) {
  const calls = {
    /**
     * Leave an organization. The API keys that the account created there are revoked. 409 for the
     * last ADMIN.
     */
    async leaveOrganization(id: string, options?: CallOptions): Promise<LeftOrganization> {
      const path = pathOf`/users/me/organizations/${id}`
      return readJson(await send({ method: 'DELETE', path, idempotent: true, options }))
    },

    /** Read the signed-in account. */
    async read(options?: CallOptions): Promise<User> {
      const path = '/users/me'
      return readJson(await send({ method: 'GET', path, idempotent: true, options }))
    },

    /** Change the name of the signed-in account, or the language of its mails. */
    async update(body: UpdateUser, options?: CallOptions): Promise<User> {
      const path = '/users/me'
      return readJson(await send({ method: 'PUT', path, body, idempotent: true, options }))
    },

    /**
     * Change the password of the signed-in account. All sessions of the account end, and the caller
     * gets a new one. API keys stay valid. On an account with a second factor, 403
     * CONFIRMATION_REQUIRED unless the session showed one in the last 10 minutes: at its sign-in,
     * or with `POST /users/me/confirmation`.
     */
    async changePassword(body: ChangePassword, options?: CallOptions): Promise<SignedIn> {
      const path = '/users/me/password'
      return readJson(
        await send({ method: 'POST', path, body, idempotent: false, interactive: true, options }),
      )
    },

    /**
     * Send a mail with a link that confirms the e-mail address of the signed-in account. The link
     * works for 24 h, with a session of the account. 403 if the installation sends no mails; 409 if
     * the address is confirmed already.
     */
    async requestEmailConfirmation(options?: CallOptions): Promise<RequestedEmailConfirmation> {
      const path = '/users/me/email-confirmation'
      return readJson(await send({ method: 'POST', path, idempotent: false, interactive: true, options }))
    },

    /**
     * Confirm the e-mail address of the signed-in account. Requires the part of the link after "#".
     * Changes nothing if the address is confirmed already. 404 if the token has expired or belongs
     * to another account.
     */
    async confirmEmail(body: ConfirmEmail, options?: CallOptions): Promise<User> {
      const path = '/users/me/email-confirmation/confirm'
      return readJson(
        await send({ method: 'POST', path, body, idempotent: false, interactive: true, options }),
      )
    },

    /**
     * List what happened to the signed-in account, and what others tried, newest first. Sign-ins,
     * failed attempts, changes of password, second factor and sessions, and dry runs of archives.
     * Only the owner of the account sees it. Entries are kept for 365 days; of each kind (sign-ins,
     * changes, dry runs, attempts) at most the newest 400, 400, 100, 200.
     */
    async accountLog(query: PageQuery = {}, options?: CallOptions): Promise<AccountLogPage> {
      const path = '/users/me/account-log'
      return readJson(await send({ method: 'GET', path, query, idempotent: true, options }))
    },

    /** List the sessions of the signed-in account, newest first. */
    async sessions(query: PageQuery = {}, options?: CallOptions): Promise<SessionPage> {
      const path = '/users/me/sessions'
      return readJson(await send({ method: 'GET', path, query, idempotent: true, options }))
    },

    /** End a session of the signed-in account. The session is rejected from its next request on. */
    async endSession(id: string, options?: CallOptions): Promise<Deleted> {
      const path = pathOf`/users/me/sessions/${id}`
      return readJson(await send({ method: 'DELETE', path, idempotent: true, options }))
    },

    /** End all other sessions of the signed-in account. */
    async endOtherSessions(options?: CallOptions): Promise<EndedSessions> {
      const path = '/users/me/sessions'
      return readJson(await send({ method: 'DELETE', path, idempotent: true, options }))
    },

    /**
     * Confirm the session with a second factor. Required before a change of what signs in to the
     * account. Send one of the fields. Without any, the response is 403 CONFIRMATION_REQUIRED, and
     * `details` has the fields that can carry a second factor of the account, with new options for
     * a passkey. 409 if the account has no second factor.
     */
    async confirm(body: ConfirmSession, options?: CallOptions): Promise<ConfirmedSession> {
      const path = '/users/me/confirmation'
      return readJson(
        await send({ method: 'POST', path, body, idempotent: false, interactive: true, options }),
      )
    },

    /**
     * Get the options for adding a passkey. They are for the session of this request. 409 if the
     * account has 20 passkeys already; 403 if browsers do not allow passkeys at PUBLIC_URL. On an
     * account with a second factor, 403 CONFIRMATION_REQUIRED unless the session showed one in the
     * last 10 minutes: at its sign-in, or with `POST /users/me/confirmation`.
     */
    async beginPasskey(body: BeginPasskey, options?: CallOptions): Promise<PasskeyCreationOptions> {
      const path = '/users/me/passkeys/options'
      return readJson(
        await send({ method: 'POST', path, body, idempotent: false, interactive: true, options }),
      )
    },

    /**
     * Add a passkey to the signed-in account. Requires what the browser returned for the options.
     * From now on, sign-in with the password also requires a second factor. Only this response
     * contains the recovery codes. 409 if an account has this passkey already. On an account with a
     * second factor, 403 CONFIRMATION_REQUIRED unless the session showed one in the last 10
     * minutes: at its sign-in, or with `POST /users/me/confirmation`.
     */
    async addPasskey(body: AddPasskey, options?: CallOptions): Promise<AddedPasskey> {
      const path = '/users/me/passkeys'
      return readJson(
        await send({ method: 'POST', path, body, idempotent: false, interactive: true, options }),
      )
    },

    /** List the passkeys of the signed-in account, oldest first. */
    async passkeys(query: PageQuery = {}, options?: CallOptions): Promise<PasskeyPage> {
      const path = '/users/me/passkeys'
      return readJson(await send({ method: 'GET', path, query, idempotent: true, options }))
    },

    /** Rename a passkey of the signed-in account. */
    async renamePasskey(id: string, body: RenamePasskey, options?: CallOptions): Promise<Passkey> {
      const path = pathOf`/users/me/passkeys/${id}`
      return readJson(await send({ method: 'PUT', path, body, idempotent: true, options }))
    },

    /**
     * Remove a passkey of the signed-in account. With the last second factor, the recovery codes
     * become invalid, too. On an account with a second factor, 403 CONFIRMATION_REQUIRED unless the
     * session showed one in the last 10 minutes: at its sign-in, or with `POST
     * /users/me/confirmation`.
     */
    async removePasskey(id: string, body: BeginPasskey, options?: CallOptions): Promise<Deleted> {
      const path = pathOf`/users/me/passkeys/${id}`
      return readJson(
        await send({ method: 'DELETE', path, body, idempotent: false, interactive: true, options }),
      )
    },

    /**
     * Start setting up two-factor sign-in with an authenticator app. The response has the secret
     * for an authenticator. Sign-in does not require a code until one is confirmed. 409 if an
     * authenticator is already in use. On an account with a second factor, 403
     * CONFIRMATION_REQUIRED unless the session showed one in the last 10 minutes: at its sign-in,
     * or with `POST /users/me/confirmation`.
     */
    async beginTwoFactor(body: BeginTwoFactor, options?: CallOptions): Promise<BegunTwoFactor> {
      const path = '/users/me/two-factor'
      return readJson(
        await send({ method: 'POST', path, body, idempotent: false, interactive: true, options }),
      )
    },

    /**
     * Turn two-factor sign-in on with a code from the authenticator. Only this response contains
     * the recovery codes. They replace those of an account that has passkeys. On an account with a
     * second factor, 403 CONFIRMATION_REQUIRED unless the session showed one in the last 10
     * minutes: at its sign-in, or with `POST /users/me/confirmation`.
     */
    async confirmTwoFactor(body: ConfirmTwoFactor, options?: CallOptions): Promise<RecoveryCodes> {
      const path = '/users/me/two-factor/confirm'
      return readJson(
        await send({ method: 'POST', path, body, idempotent: false, interactive: true, options }),
      )
    },

    /**
     * Replace the recovery codes. Only this response contains the new codes; the earlier ones
     * become invalid. 409 if the account has no second factor. On an account with a second factor,
     * 403 CONFIRMATION_REQUIRED unless the session showed one in the last 10 minutes: at its
     * sign-in, or with `POST /users/me/confirmation`.
     */
    async renewRecoveryCodes(body: BeginTwoFactor, options?: CallOptions): Promise<RecoveryCodes> {
      const path = '/users/me/two-factor/recovery-codes'
      return readJson(
        await send({ method: 'POST', path, body, idempotent: false, interactive: true, options }),
      )
    },

    /**
     * Turn two-factor sign-in with an authenticator app off. Requires the password, and a code or a
     * recovery code unless the session is confirmed. Passkeys stay. 409 if it is already off. On an
     * account with a second factor, 403 CONFIRMATION_REQUIRED unless the session showed one in the
     * last 10 minutes: at its sign-in, or with `POST /users/me/confirmation`.
     */
    async endTwoFactor(body: EndTwoFactor, options?: CallOptions): Promise<User> {
      const path = '/users/me/two-factor'
      return readJson(
        await send({ method: 'DELETE', path, body, idempotent: false, interactive: true, options }),
      )
    },
  }
  return calls
}
