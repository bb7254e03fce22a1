import { SignedIn } from '@everscan/contract/resources/sessions.ts'
import { ChangePassword, UpdateUser, User } from '@everscan/contract/resources/users.ts'
import {
  changePassword as setNewPassword,
  isPasswordOf,
  type ProvenUser,
} from '../../catalogue/accounts/sign-in.ts'
import { updateUser } from '../../catalogue/accounts/users.ts'
import type { SessionCaller } from '../../catalogue/organizations/callers.ts'
import { endpoint, type EndpointInput } from '../http/endpoint.ts'
import type { ApiContext } from '../http/api-context.ts'
import { accountSource } from '../../product/accounts/request-sources.ts'
import { validationError } from '../../request-errors.ts'
import { reportFailure, reportOutcome } from '../../product/accounts/account-outcomes.ts'
import { confirmationNote, requireConfirmation } from './confirmations.ts'
import { readOwnAccount, signedIn } from './sign-in.ts'

const tag = 'Signing in'

export const read = endpoint({
  id: 'readMe',
  method: 'GET',
  path: '/users/me',
  role: 'session',
  tag,
  summary: 'Read the signed-in account.',
  status: 200,
  response: User,
  handle: async ({ db }, { userId }) => readOwnAccount(db, userId),
})

export const put = endpoint({
  id: 'updateMe',
  method: 'PUT',
  path: '/users/me',
  role: 'session',
  tag,
  summary: 'Change the name of the signed-in account, or the language of its mails.',
  body: UpdateUser,
  status: 200,
  response: User,
  handle: async ({ db }, { userId }, { body }) => {
    await updateUser(db, userId, body)
    return readOwnAccount(db, userId)
  },
})

export const changePassword = endpoint({
  id: 'changePassword',
  method: 'POST',
  path: '/users/me/password',
  role: 'session',
  tag,
  summary: 'Change the password of the signed-in account.',
  description: `All sessions of the account end, and the caller gets a new one. API keys stay valid. ${confirmationNote}`,
  body: ChangePassword,
  status: 200,
  response: SignedIn,
  responseHeaders: { 'Set-Cookie': 'The cookie of the new session, and that of a known device.' },
  handle: async (context, caller, request) => {
    const { currentPassword, newPassword } = request.body
    const user = await requireOwner(context, { caller, request }, currentPassword)
    const { confirmedAtMs } = caller
    const change = { newPassword, confirmedAtMs, source: accountSource(request), nowMs: context.clock() }
    const changed = await setNewPassword(context.db, user, change)
    if (changed === undefined) throw wrongCurrentPassword()
    reportOutcome(context, request, { accountId: user.id, action: 'password.change' })
    return signedIn(context, request, changed)
  },
})

/**
 * Checks that the owner of an account makes a request that changes what signs in: by the password,
 * and by a confirmed session if the account has a second factor. Throws ApiError 400, 403 or 429
 * otherwise.
 */
export async function requireOwner(
  context: ApiContext,
  { caller, request }: { caller: SessionCaller; request: EndpointInput },
  password: string,
): Promise<ProvenUser> {
  // As at sign-in: only a person with the password is asked for more.
  const user = await requirePassword(context, { caller, request }, password)
  await requireConfirmation(context, caller)
  return user
}

/**
 * Checks that a password is that of the signed-in account. Throws ApiError 400 otherwise, and 429
 * after many failed attempts. They count by session, like those of a known device: only a person
 * with the password gets another session, and a stolen session cannot make the owner wait in any
 * other one.
 */
export async function requirePassword(
  context: ApiContext,
  { caller, request }: { caller: SessionCaller; request: EndpointInput },
  password: string,
): Promise<ProvenUser> {
  const { db, accounts, clock } = context
  const { userId, sessionId } = caller
  const tried = `current password ${sessionId}`
  await accounts.attempts.begin(tried, clock())
  const user = await isPasswordOf(db, userId, password)
  if (user === undefined) {
    reportFailure(context, request, { accountId: userId, action: 'confirmation.wrong-password' })
    throw wrongCurrentPassword()
  }
  await accounts.attempts.succeed(tried)
  return user
}

function wrongCurrentPassword() {
  return validationError([{ path: 'currentPassword', message: 'is not the password of this account' }])
}
