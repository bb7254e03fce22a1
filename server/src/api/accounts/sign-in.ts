import { signIns } from '@everscan/contract/endpoints/accounts/sign-in.ts'
import type { SignedIn, SignIn } from '@everscan/contract/resources/sessions.ts'
import { type Session } from '@everscan/contract/resources/sessions.ts'
import { problem } from '@everscan/contract/problems/problem.ts'
import type { User } from '@everscan/contract/resources/users.ts'
import { endSessionOfToken, type SessionRow } from '../../catalogue/accounts/sessions.ts'
import { checkPassword, signIn as beginSession, type NewSession } from '../../catalogue/accounts/sign-in.ts'
import { readAccount, type AccountRow, type UserRow } from '../../catalogue/accounts/users.ts'
import { ApiError } from '../../errors.ts'
import { Answer, handler, type EndpointInput } from '../http/handler.ts'
import type { ApiContext } from '../http/api-context.ts'
import { accountSource } from '../../product/accounts/request-sources.ts'
import { endSessionCookie, sessionTokenOf, setSessionCookie } from '../http/session-cookies.ts'
import { timestamp, timestampOrNull } from '../../product/records/timestamps.ts'
import { reportFailure, reportOutcome } from '../../product/accounts/account-outcomes.ts'
import { setDeviceCookie, type DeviceOwner } from './known-devices.ts'
import {
  secondFactorRequired,
  signInPurpose,
  verifySecondFactor,
} from '../../product/accounts/passkey-second-factor.ts'
import { beginPasswordAttempt } from './password-attempts.ts'

export const signIn = handler(signIns.signIn, {
  handle: async (context, _caller, request) => {
    const { db, accounts, config, clock } = context
    const { code, recoveryCode, passkey: assertion } = request.body
    const user = await requireRightPassword(context, request)
    if ((code ?? recoveryCode ?? assertion) !== undefined)
      await accounts.attempts.begin(codeTry(user.id), clock())
    const purpose = signInPurpose(user.id)
    const passkey =
      assertion && (await verifySecondFactor(context, request, { userId: user.id, assertion, purpose }))
    if (assertion !== undefined && passkey === undefined) throw wrongPasskey(context, request, user.id)
    const source = accountSource(request)
    const replacedToken = sessionTokenOf(request.headers, config.publicUrl)
    const factors = { code, recoveryCode, passkey, replacedToken, source, nowMs: clock() }
    const made = await beginSession(db, { box: accounts.twoFactorBox, user }, factors)
    if (made === undefined) throw wrongPassword()
    if (made === 'CODE_REQUIRED') throw await secondFactorRequired(context, user.id)
    if (made === 'CODE_WRONG' && code === undefined && passkey !== undefined)
      throw wrongPasskey(context, request, user.id)
    if (made === 'CODE_WRONG') {
      reportFailure(context, request, { accountId: user.id, action: 'sign-in.wrong-code' })
      throw new ApiError(401, 'UNAUTHORIZED', problem('codeWrong'))
    }
    await accounts.attempts.succeed(codeTry(user.id))
    reportOutcome(context, request, { accountId: user.id, action: made.action })
    return signedIn(context, request, { made, owner: user })
  },
})

export const signOut = handler(signIns.signOut, {
  handle: async ({ db, config }, _caller, { headers }) => {
    const token = sessionTokenOf(headers, config.publicUrl)
    if (token !== undefined) await endSessionOfToken(db, token)
    return new Answer({ signedOut: true as const }, { 'set-cookie': endSessionCookie(config.publicUrl) })
  },
})

/**
 * Returns the account with the address and password of a request. Throws ApiError 401 otherwise,
 * and 429 after many failed attempts.
 */
async function requireRightPassword(
  context: ApiContext,
  request: EndpointInput<unknown, unknown, SignIn>,
): Promise<UserRow> {
  const attempt = await beginPasswordAttempt(context, request, request.body.email)
  const { user, isRight } = await checkPassword(context.db, request.body)
  if (user === undefined || !isRight) {
    reportFailure(context, request, { accountId: user?.id, action: 'sign-in.wrong-password' })
    throw wrongPassword()
  }
  await attempt.succeed()
  return user
}

/** The response that delivers a new session to its owner, and makes the browser a known device. */
export async function signedIn(
  context: ApiContext,
  request: Pick<EndpointInput, 'headers'>,
  delivered: { made: NewSession; owner: DeviceOwner },
): Promise<Answer<SignedIn>> {
  const { session } = delivered.made
  const user = await readOwnAccount(context.db, session.userId)
  const answered = { user, session: sessionRecord(session, session.id) }
  return new Answer(answered, { 'set-cookie': sessionCookies(context, request, delivered) })
}

/** The cookies of a new session, and of a browser that is a known device from now on. */
export function sessionCookies(
  { accounts, config: { publicUrl }, clock }: ApiContext,
  { headers }: Pick<EndpointInput, 'headers'>,
  { made: { session, token }, owner }: { made: NewSession; owner: DeviceOwner },
): string[] {
  const lastsMs = session.expiresAtMs - session.createdAtMs
  return [
    setSessionCookie({ token, lastsMs }, publicUrl),
    setDeviceCookie(accounts.deviceBox, owner, { headers, publicUrl, nowMs: clock() }),
  ]
}

export async function readOwnAccount(db: ApiContext['db'], userId: string): Promise<User> {
  const account = await readAccount(db, userId)
  // The account, and its sessions with it, was deleted a moment ago.
  if (account === undefined) throw new ApiError(401, 'UNAUTHORIZED', problem('accountGone'))
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

/** By account, from all networks: only a client that knows the password gets this far. */
function codeTry(userId: string): string {
  return `code ${userId}`
}

function userRecord({ createdAtMs, emailConfirmedAtMs, ...row }: AccountRow): User {
  return {
    ...row,
    createdAt: timestamp(createdAtMs),
    emailConfirmedAt: timestampOrNull(emailConfirmedAtMs),
  }
}

function wrongPassword(): ApiError {
  return new ApiError(401, 'UNAUTHORIZED', problem('emailOrPasswordWrong'))
}

function wrongPasskey(
  context: ApiContext,
  request: Parameters<typeof reportFailure>[1],
  accountId: string,
): ApiError {
  reportFailure(context, request, { accountId, action: 'sign-in.password-and-wrong-passkey' })
  return new ApiError(401, 'UNAUTHORIZED', problem('passkeyNotChecked'))
}
