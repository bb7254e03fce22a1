import { SignedIn } from '@everscan/contract/resources/sessions.ts'
import { ChangePassword, UpdateUser, User } from '@everscan/contract/resources/users.ts'
import {
  changePassword as setNewPassword,
  isPasswordOf,
  type ProvenUser,
} from '../../catalogue/accounts/sign-in.ts'
import { renameUser } from '../../catalogue/accounts/users.ts'
import { endpoint } from '../http/endpoint.ts'
import type { ApiContext } from '../http/api-context.ts'
import { requestSource } from '../http/origins.ts'
import { validationError } from '../http/request-errors.ts'
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
  summary: 'Change the name of the signed-in account.',
  body: UpdateUser,
  status: 200,
  response: User,
  handle: async ({ db }, { userId }, { body }) => {
    await renameUser(db, userId, body.name)
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
  description: 'All sessions of the account end, and the caller gets a new one. API keys stay valid.',
  body: ChangePassword,
  status: 200,
  response: SignedIn,
  responseHeaders: { 'Set-Cookie': 'The cookie of the new session.' },
  handle: async (context, { userId }, request) => {
    const { currentPassword, newPassword } = request.body
    const user = await requirePassword(context, userId, currentPassword)
    const { userAgent } = requestSource(request, 'dashboard')
    const made = await setNewPassword(context.db, user, { newPassword, userAgent, nowMs: context.clock() })
    if (made === undefined) throw wrongCurrentPassword()
    return signedIn(context, made)
  },
})

/**
 * Checks that a password is that of the signed-in account. Throws ApiError 400 otherwise, and 429
 * after many failed attempts.
 */
export async function requirePassword(
  { db, accounts, clock }: ApiContext,
  userId: string,
  password: string,
): Promise<ProvenUser> {
  const tried = `current password ${userId}`
  accounts.attempts.begin(tried, clock())
  const user = await isPasswordOf(db, userId, password)
  if (user === undefined) throw wrongCurrentPassword()
  accounts.attempts.succeed(tried)
  return user
}

function wrongCurrentPassword() {
  return validationError([{ path: 'currentPassword', message: 'is not the password of this account' }])
}
