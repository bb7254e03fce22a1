import type { AccountLogPage } from '@everscan/contract/resources/account-log.ts'
import type { Deleted } from '@everscan/contract/schema/common.ts'
import type { LeftOrganization } from '@everscan/contract/resources/organizations.ts'
import type { ConfirmedSession, ConfirmSession } from '@everscan/contract/resources/confirmations.ts'
import type { PageQuery } from '@everscan/contract/schema/pages.ts'
import type {
  AddedPasskey,
  AddPasskey,
  BeginPasskey,
  Passkey,
  PasskeyCreationOptions,
  PasskeyPage,
  RemovePasskey,
} from '@everscan/contract/resources/passkeys.ts'
import type {
  ConfirmEmail,
  RequestedEmailConfirmation,
} from '@everscan/contract/resources/email-confirmations.ts'
import type { EndedSessions, SessionPage, SignedIn } from '@everscan/contract/resources/sessions.ts'
import type {
  BeginTwoFactor,
  BegunTwoFactor,
  ConfirmTwoFactor,
  EndTwoFactor,
  RecoveryCodes,
  RenewRecoveryCodes,
} from '@everscan/contract/resources/two-factor.ts'
import type { ChangePassword, UpdateUser, User } from '@everscan/contract/resources/users.ts'
import { pathOf, readJson, type CallOptions, type Send } from './send.ts'

/** The signed-in account. The service rejects keys. */
export type Me = ReturnType<typeof meCalls>

const interactive = true

export function meCalls(send: Send) {
  return {
    async read(options?: CallOptions): Promise<User> {
      return readJson(await send({ method: 'GET', path: '/users/me', idempotent: true, options }))
    },

    async update(body: UpdateUser, options?: CallOptions): Promise<User> {
      return readJson(await send({ method: 'PUT', path: '/users/me', body, idempotent: true, options }))
    },

    /** Changes the password and ends all sessions of the account. This client gets a new one. */
    async changePassword(body: ChangePassword, options?: CallOptions): Promise<SignedIn> {
      const path = '/users/me/password'
      return readJson(await send({ method: 'POST', path, body, idempotent: false, interactive, options }))
    },

    /** Has a link mailed that confirms the address of the account. */
    async requestEmailConfirmation(options?: CallOptions): Promise<RequestedEmailConfirmation> {
      const path = '/users/me/email-confirmation'
      return readJson(await send({ method: 'POST', path, idempotent: false, interactive, options }))
    },

    /** Confirms the address with the part of the mailed link after "#". */
    async confirmEmail(body: ConfirmEmail, options?: CallOptions): Promise<User> {
      const path = '/users/me/email-confirmation/confirm'
      return readJson(await send({ method: 'POST', path, body, idempotent: false, interactive, options }))
    },

    /**
     * Confirms the session with a second factor. If `code` of a `PermissionError` is
     * CONFIRMATION_REQUIRED, send one of the fields in its `details` here, and repeat the call. The
     * one for `passkey` has the options for `navigator.credentials.get`. An empty body is refused
     * in the same way, with new ones.
     */
    async confirm(body: ConfirmSession, options?: CallOptions): Promise<ConfirmedSession> {
      const path = '/users/me/confirmation'
      return readJson(await send({ method: 'POST', path, body, idempotent: false, interactive, options }))
    },

    /** Returns a page of what happened to the account, newest first. */
    async accountLog(query: PageQuery = {}, options?: CallOptions): Promise<AccountLogPage> {
      const path = '/users/me/account-log'
      return readJson(await send({ method: 'GET', path, query, idempotent: true, options }))
    },

    /** Returns a page of the sessions of the account, newest first. */
    async sessions(query: PageQuery = {}, options?: CallOptions): Promise<SessionPage> {
      const path = '/users/me/sessions'
      return readJson(await send({ method: 'GET', path, query, idempotent: true, options }))
    },

    /** Ends a session of the account. */
    async endSession(id: string, options?: CallOptions): Promise<Deleted> {
      const path = pathOf`/users/me/sessions/${id}`
      return readJson(await send({ method: 'DELETE', path, idempotent: true, options }))
    },

    /** Ends all other sessions of the account. */
    async endOtherSessions(options?: CallOptions): Promise<EndedSessions> {
      const path = '/users/me/sessions'
      return readJson(await send({ method: 'DELETE', path, idempotent: true, options }))
    },

    /**
     * Returns the options for `navigator.credentials.create`, in their JSON form, to add a passkey.
     * Rejects with a `PermissionError` if browsers do not allow passkeys at the service's address.
     */
    async beginPasskey(body: BeginPasskey, options?: CallOptions): Promise<PasskeyCreationOptions> {
      const path = '/users/me/passkeys/options'
      return readJson(await send({ method: 'POST', path, body, idempotent: false, interactive, options }))
    },

    /**
     * Adds what `navigator.credentials.create` returned, in its JSON form. Returns recovery codes,
     * only this once, if the account had no second factor.
     */
    async addPasskey(body: AddPasskey, options?: CallOptions): Promise<AddedPasskey> {
      const path = '/users/me/passkeys'
      return readJson(await send({ method: 'POST', path, body, idempotent: false, interactive, options }))
    },

    /** Returns a page of the passkeys of the account, oldest first. */
    async passkeys(query: PageQuery = {}, options?: CallOptions): Promise<PasskeyPage> {
      const path = '/users/me/passkeys'
      return readJson(await send({ method: 'GET', path, query, idempotent: true, options }))
    },

    async renamePasskey(id: string, name: string, options?: CallOptions): Promise<Passkey> {
      const path = pathOf`/users/me/passkeys/${id}`
      return readJson(await send({ method: 'PUT', path, body: { name }, idempotent: true, options }))
    },

    /** Removes a passkey. The last second factor takes the recovery codes with it. */
    async removePasskey(id: string, body: RemovePasskey, options?: CallOptions): Promise<Deleted> {
      const path = pathOf`/users/me/passkeys/${id}`
      return readJson(await send({ method: 'DELETE', path, body, idempotent: false, interactive, options }))
    },

    /**
     * Begins two-factor sign-in. `otpauthUri` goes into the QR code for the authenticator. Shown
     * only this once.
     */
    async beginTwoFactor(body: BeginTwoFactor, options?: CallOptions): Promise<BegunTwoFactor> {
      const path = '/users/me/two-factor'
      return readJson(await send({ method: 'POST', path, body, idempotent: false, interactive, options }))
    },

    /** Turns on two-factor sign-in with a code. Returns the recovery codes, only this once. */
    async confirmTwoFactor(body: ConfirmTwoFactor, options?: CallOptions): Promise<RecoveryCodes> {
      const path = '/users/me/two-factor/confirm'
      return readJson(await send({ method: 'POST', path, body, idempotent: false, interactive, options }))
    },

    /** Creates new recovery codes. The old ones become invalid. */
    async renewRecoveryCodes(body: RenewRecoveryCodes, options?: CallOptions): Promise<RecoveryCodes> {
      const path = '/users/me/two-factor/recovery-codes'
      return readJson(await send({ method: 'POST', path, body, idempotent: false, interactive, options }))
    },

    /**
     * Turns off two-factor sign-in with the password, and a code unless the session is confirmed.
     */
    async endTwoFactor(body: EndTwoFactor, options?: CallOptions): Promise<User> {
      const path = '/users/me/two-factor'
      return readJson(await send({ method: 'DELETE', path, body, idempotent: false, interactive, options }))
    },

    /** Leaves an organization. Rejects with a `ConflictError` for its last ADMIN. */
    async leaveOrganization(id: string, options?: CallOptions): Promise<LeftOrganization> {
      const path = pathOf`/users/me/organizations/${id}`
      return readJson(await send({ method: 'DELETE', path, idempotent: true, options }))
    },
  }
}
