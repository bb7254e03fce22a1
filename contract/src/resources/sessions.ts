import { Type, type Static } from 'typebox'
import { Id, Timestamp, nullable, strictObject } from '../schema/common.ts'
import { limits } from '../schema/limits.ts'
import { Page } from '../schema/pages.ts'
import { PasskeyAssertion } from './passkeys.ts'
import { RecoveryCode, TwoFactorCode } from './two-factor.ts'
import { CurrentPassword, KnownEmailAddress, User } from './users.ts'

/** The name of the session cookie; over https it has the prefix `__Host-` (RFC 6265bis). */
export const sessionCookie = 'everscan_session'

/**
 * The name of the cookie by which a browser is known to have signed in before; over https with the
 * same prefix.
 */
export const deviceCookie = 'everscan_device'

/**
 * The body that signs a person in. With two-factor sign-in it needs a code, a recovery code or a
 * passkey too.
 */
export const SignIn = strictObject(
  {
    email: KnownEmailAddress,
    password: CurrentPassword,
    code: Type.Optional(TwoFactorCode),
    recoveryCode: Type.Optional(RecoveryCode),
    passkey: Type.Optional(PasskeyAssertion),
  },
  { examples: [{ email: 'ada@example.com', password: 'correct horse battery' }] },
)
export type SignIn = Static<typeof SignIn>

/** A session of an account, without its token: only an HttpOnly cookie has the token. */
export const Session = strictObject({
  id: Id('ses'),
  createdAt: Timestamp('When the session began.'),
  lastUsedAt: Timestamp('When the session was last used, to the minute.'),
  expiresAt: Timestamp(
    `When the session ends. It ends earlier if it is not used for ${limits.sessionIdleDays} days.`,
  ),
  userAgent: nullable(Type.String({ description: 'User agent of the client that signed in.' })),
  current: Type.Boolean({ description: 'Whether this is the session of the request.' }),
})
export type Session = Static<typeof Session>

/** The response to a sign-in, or to another request that starts a new session. */
export const SignedIn = strictObject({ user: User, session: Session })
export type SignedIn = Static<typeof SignedIn>

/** The response to a sign-out, which also deletes the cookie. */
export const SignedOut = strictObject({ signedOut: Type.Literal(true, { type: 'boolean' }) })
export type SignedOut = Static<typeof SignedOut>

/** The response to ending all sessions except the current one. */
export const EndedSessions = strictObject({
  ended: Type.Integer({ description: 'Number of sessions that were ended.', minimum: 0 }),
})
export type EndedSessions = Static<typeof EndedSessions>

export const SessionPage = Page(Session)
export type SessionPage = Static<typeof SessionPage>
