import { account } from '@everscan/contract/endpoints/accounts/account.ts'
import { problem } from '@everscan/contract/problems/problem.ts'
import {
  changePassword as setNewPassword,
  isPasswordOf,
  type ProvenUser,
} from '../../catalogue/accounts/sign-in.ts'
import { updateUser } from '../../catalogue/accounts/users.ts'
import type { SessionCaller } from '../../catalogue/organizations/callers.ts'
import { handler, type EndpointInput } from '../http/handler.ts'
import type { ApiContext } from '../http/api-context.ts'
import { accountSource } from '../../product/accounts/request-sources.ts'
import { validationError } from '../../request-errors.ts'
import { reportFailure, reportOutcome } from '../../product/accounts/account-outcomes.ts'
import { requireConfirmation } from './confirmations.ts'
import { readOwnAccount, signedIn } from './sign-in.ts'

export const read = handler(account.read, {
  handle: async ({ db }, { userId }) => readOwnAccount(db, userId),
})

export const update = handler(account.update, {
  handle: async ({ db }, { userId }, { body }) => {
    await updateUser(db, userId, body)
    return readOwnAccount(db, userId)
  },
})

export const changePassword = handler(account.changePassword, {
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
  return validationError([{ path: 'currentPassword', ...problem('currentPasswordWrong') }])
}
