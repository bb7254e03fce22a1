import { Type, type Static } from 'typebox'
import { Id, Timestamp, nullable, strictObject } from '../schema/common.ts'
import { limits } from '../schema/limits.ts'
import { Page } from '../schema/pages.ts'
import { RecoveryCode, TwoFactorCode } from './two-factor.ts'
import { CurrentPassword, EmailAddress, User } from './users.ts'

/** The name of the session's cookie; over https the prefix `__Host-` stands before it (RFC 6265bis). */
export const sessionCookie = 'everscan_session'

/** The body that signs a person in. With two-factor sign-in one of the codes is needed too. */
export const SignIn = strictObject(
  {
    email: EmailAddress,
    password: CurrentPassword,
    code: Type.Optional(TwoFactorCode),
    recoveryCode: Type.Optional(RecoveryCode),
  },
  { examples: [{ email: 'ada@example.com', password: 'correct horse battery' }] },
)
export type SignIn = Static<typeof SignIn>

/** A session of an account, without its token, which is in an HttpOnly cookie and nowhere else. */
export const Session = strictObject({
  id: Id('ses'),
  createdAt: Timestamp('When it began.'),
  lastUsedAt: Timestamp('When it was last used, to the minute.'),
  expiresAt: Timestamp(
    `When it ends; it ends before that when it is not used for ${limits.sessionIdleDays} days.`,
  ),
  userAgent: nullable(Type.String({ description: 'The program that signed in.' })),
  current: Type.Boolean({ description: 'Whether it is the one that asks.' }),
})
export type Session = Static<typeof Session>

/** The answer to who signed in, or got a new session. */
export const SignedIn = strictObject({ user: User, session: Session })
export type SignedIn = Static<typeof SignedIn>

/** The answer to who signed out; the cookie is taken back. */
export const SignedOut = strictObject({ signedOut: Type.Literal(true, { type: 'boolean' }) })
export type SignedOut = Static<typeof SignedOut>

/** The answer to who ended all sessions but the one that asks. */
export const EndedSessions = strictObject({
  ended: Type.Integer({ description: 'How many sessions were ended.', minimum: 0 }),
})
export type EndedSessions = Static<typeof EndedSessions>

export const SessionPage = Page(Session)
export type SessionPage = Static<typeof SessionPage>
