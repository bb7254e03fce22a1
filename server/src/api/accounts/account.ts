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
  summary: 'The account that is signed in.',
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
  summary: 'Change the name of the account that is signed in.',
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
  summary: 'Change the password of the account that is signed in.',
  description: 'Ends all sessions of the account; who asks gets a new one. API keys stay.',
  body: ChangePassword,
  status: 200,
  response: SignedIn,
  responseHeaders: { 'Set-Cookie': 'The new session.' },
  handle: async (context, { userId }, request) => {
    const { currentPassword, newPassword } = request.body
    const user = await requirePassword(context, userId, currentPassword)
    const { userAgent } = requestSource(request, 'dashboard')
    const made = await setNewPassword(context.db, user, { newPassword, userAgent, nowMs: context.clock() })
    if (made === undefined) throw wrongCurrentPassword()
    return signedIn(context, made)
  },
})

/** Throws ApiError 400 unless a password is that of the account that is signed in, and 429 after many wrong ones. */
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
