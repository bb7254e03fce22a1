import { limits } from '@everscan/contract/schema/limits.ts'
import { SignedIn, SignedOut, SignIn, type Session } from '@everscan/contract/resources/sessions.ts'
import type { User } from '@everscan/contract/resources/users.ts'
import { endSessionOfToken, type SessionRow } from '../../catalogue/accounts/sessions.ts'
import {
  findUserByPassword,
  signIn as beginSession,
  type NewSession,
} from '../../catalogue/accounts/sign-in.ts'
import { normalEmail, readAccount, type AccountRow } from '../../catalogue/accounts/users.ts'
import { ApiError } from '../../errors.ts'
import { Answer, endpoint } from '../http/endpoint.ts'
import type { ApiContext } from '../http/api-context.ts'
import { networkOf } from '../http/networks.ts'
import { requestSource } from '../http/origins.ts'
import { endedCookieHeaders, sessionCookieHeaders, sessionTokenOf } from '../http/session-cookies.ts'
import { timestamp } from '../../records/timestamps.ts'

const tag = 'Signing in'

export const signIn = endpoint({
  id: 'signIn',
  method: 'POST',
  path: '/auth/sign-in',
  role: 'public',
  triesPerMinute: limits.signInTriesPerMinute,
  tag,
  summary: 'Sign in: begin a session.',
  description:
    'The session is in a cookie that pages cannot read. A session sent with the request ends. An unknown e-mail address and a wrong password get the same response. If the account uses two-factor sign-in, the password alone gets 401 TWO_FACTOR_REQUIRED. After five failed attempts, each further one has to wait longer.',
  body: SignIn,
  status: 200,
  response: SignedIn,
  responseHeaders: { 'Set-Cookie': 'The session cookie.' },
  errors: [401],
  handle: async (context, _caller, request) => {
    const { db, accounts, config, clock } = context
    const { email, password, code, recoveryCode } = request.body
    const tried = passwordTry(email, request.ip)
    accounts.attempts.begin(tried, clock())
    const user = await findUserByPassword(db, { email, password })
    if (user === undefined) throw wrongPassword()
    accounts.attempts.succeed(tried)
    if (code !== undefined || recoveryCode !== undefined) accounts.attempts.begin(codeTry(user.id), clock())
    const { userAgent } = requestSource(request, 'dashboard')
    const replacedToken = sessionTokenOf(request.headers, config.publicUrl)
    const factors = { code, recoveryCode, replacedToken, userAgent, nowMs: clock() }
    const made = await beginSession(db, { box: accounts.twoFactorBox, user }, factors)
    if (made === undefined) throw wrongPassword()
    if (made === 'CODE_REQUIRED') throw codeRequired()
    if (made === 'CODE_WRONG')
      throw new ApiError(401, 'UNAUTHORIZED', 'The code is wrong or was already used.')
    accounts.attempts.succeed(codeTry(user.id))
    return signedIn(context, made)
  },
})

export const signOut = endpoint({
  id: 'signOut',
  method: 'POST',
  path: '/auth/sign-out',
  role: 'public',
  tag,
  summary: 'Sign out: end the session.',
  description: 'The session is rejected from its next request on. Succeeds without a session too.',
  status: 200,
  response: SignedOut,
  responseHeaders: { 'Set-Cookie': 'Deletes the session cookie.' },
  handle: async ({ db, config }, _caller, { headers }) => {
    const token = sessionTokenOf(headers, config.publicUrl)
    if (token !== undefined) await endSessionOfToken(db, token)
    return new Answer({ signedOut: true as const }, endedCookieHeaders(config.publicUrl))
  },
})

/** The response that delivers a new session to its owner. */
export async function signedIn(
  { db, config }: ApiContext,
  { session, token }: NewSession,
): Promise<Answer<SignedIn>> {
  const user = await readOwnAccount(db, session.userId)
  const lastsMs = session.expiresAtMs - session.createdAtMs
  const answered = { user, session: sessionRecord(session, session.id) }
  return new Answer(answered, sessionCookieHeaders({ token, lastsMs }, config.publicUrl))
}

export async function readOwnAccount(db: ApiContext['db'], userId: string): Promise<User> {
  const account = await readAccount(db, userId)
  // The account, and its sessions with it, was deleted a moment ago.
  if (account === undefined) throw new ApiError(401, 'UNAUTHORIZED', 'This account no longer exists.')
  return userRecord(account)
}

export function sessionRecord(row: SessionRow, currentId: string): Session {
  return {
    id: row.id,
    createdAt: timestamp(row.createdAtMs),
    lastUsedAt: timestamp(row.lastUsedAtMs),
    expiresAt: timestamp(row.expiresAtMs),
    userAgent: row.userAgent,
    current: row.id === currentId,
  }
}

/** By network, so that an attacker cannot lock out the owner of the account. */
export function passwordTry(email: string, ip: string): string {
  return `password ${normalEmail(email)} ${networkOf(ip)}`
}

/** By account, from all networks: only a client that knows the password gets this far. */
export function codeTry(userId: string): string {
  return `code ${userId}`
}

function userRecord({ createdAtMs, ...row }: AccountRow): User {
  return { ...row, createdAt: timestamp(createdAtMs) }
}

function wrongPassword(): ApiError {
  return new ApiError(401, 'UNAUTHORIZED', 'The e-mail address or the password is wrong.')
}

function codeRequired(): ApiError {
  const message = 'This account uses two-factor sign-in: send "code" or "recoveryCode" too.'
  return new ApiError(401, 'TWO_FACTOR_REQUIRED', message)
}
