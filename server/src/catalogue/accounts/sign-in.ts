import { inTransaction, tag, type Database } from '../../db/database.ts'
import type { SecretBox } from '../../secret-box.ts'
import { recordAccountEntry, type AccountSource } from './account-log.ts'
import { hashNewPassword } from './new-passwords.ts'
import { dummyHash, verifyPassword } from './passwords.ts'
import { createSession, endSessionOfToken, endSessionsOf, type SessionRow } from './sessions.ts'
import { usePasskey, type PasskeyUse } from './passkeys.ts'
import { hasTwoFactor } from './second-factors.ts'
import { useSecondFactor, type SecondFactor } from './two-factor.ts'
import { findUserByEmail, lockAccount, type UserRow } from './users.ts'

/** An account whose password was verified. */
export type ProvenUser = Pick<UserRow, 'id' | 'email' | 'name' | 'passwordHash'>

export type NewSession = { session: SessionRow; token: string }

/** Named for the factor that completed a sign-in, and `sign-in.passkey` for a passkey alone. */
export type SignInAction =
  | 'sign-in.password'
  | 'sign-in.code'
  | 'sign-in.recovery-code'
  | 'sign-in.password-and-passkey'
  | 'sign-in.passkey'

/**
 * Returns the account with this address, if it exists, and whether the password is its password,
 * after the same amount of work in all cases.
 */
export async function checkPassword(
  db: Database,
  { email, password }: { email: string; password: string },
): Promise<{ user: UserRow | undefined; isRight: boolean }> {
  const user = await findUserByEmail(db, email)
  const matches = await verifyPassword(password, user?.passwordHash ?? dummyHash)
  return { user, isRight: matches && user !== undefined }
}

/** Returns the account if the password is correct, or undefined. */
export async function isPasswordOf(
  db: Database,
  userId: string,
  password: string,
): Promise<ProvenUser | undefined> {
  const user = await db.kysely
    .selectFrom('users')
    .select(['id', 'email', 'name', 'password_hash as passwordHash'])
    .where('id', '=', userId)
    .modifyEnd(tag('catalogue.readPassword'))
    .executeTakeFirst()
  const matches = await verifyPassword(password, user?.passwordHash ?? dummyHash)
  return matches ? user : undefined
}

export type SignInOptions = SecondFactor & NewSessionOptions

type NewSessionOptions = {
  /** The token of the caller's current session, which ends. */
  replacedToken?: string | undefined
  source: AccountSource
  nowMs: number
}

/**
 * Creates a session for a user whose password was verified. Returns `CODE_REQUIRED` if the account
 * has two-factor sign-in and no second factor came, `CODE_WRONG` if it is wrong or used up, and
 * undefined if the password was changed in the meantime.
 */
export async function signIn(
  db: Database,
  { box, user }: { box: SecretBox; user: ProvenUser },
  { code, recoveryCode, passkey, ...options }: SignInOptions,
): Promise<(NewSession & { action: SignInAction }) | 'CODE_REQUIRED' | 'CODE_WRONG' | undefined> {
  return inTransaction(db, async (tx) => {
    await lockAccount(tx, user.id)
    if (!(await stillHasPassword(tx, user))) return undefined
    const hasSecond = await hasTwoFactor(tx, user.id)
    if (hasSecond) {
      if ((code ?? recoveryCode ?? passkey) === undefined) return 'CODE_REQUIRED'
      const { source, nowMs } = options
      const factor = { userId: user.id, code, recoveryCode, passkey, source, nowMs }
      if (!(await useSecondFactor(tx, box, factor))) return 'CODE_WRONG'
    }
    const action = signInAction(hasSecond ? { code, passkey } : undefined)
    return { ...(await beginSession(tx, user.id, { ...options, action })), action }
  })
}

/**
 * Creates a session for the owner of a passkey whose signature was verified, and with it the person
 * (user verification). Returns the session, and the account with its password hash. Returns
 * undefined if the passkey is refused: see `usePasskey`.
 */
export async function signInWithPasskey(
  db: Database,
  passkey: PasskeyUse,
  options: NewSessionOptions,
): Promise<{ made: NewSession; owner: Pick<ProvenUser, 'id' | 'passwordHash'> } | undefined> {
  return inTransaction(db, async (tx) => {
    await lockAccount(tx, passkey.userId)
    if (!(await usePasskey(tx, passkey, options))) return undefined
    const owner = await tx.kysely
      .selectFrom('users')
      .select(['id', 'password_hash as passwordHash'])
      .where('id', '=', passkey.userId)
      .modifyEnd(tag('catalogue.readPasskeyOwner'))
      .executeTakeFirstOrThrow()
    return { made: await beginSession(tx, owner.id, { ...options, action: 'sign-in.passkey' }), owner }
  })
}

/** A factor given to an account without second factor is not looked at. */
function signInAction(second: SecondFactor | undefined): SignInAction {
  if (second === undefined) return 'sign-in.password'
  if (second.code !== undefined) return 'sign-in.code'
  return second.passkey === undefined ? 'sign-in.recovery-code' : 'sign-in.password-and-passkey'
}

async function beginSession(
  tx: Database,
  userId: string,
  { action, replacedToken, source, nowMs }: NewSessionOptions & { action: SignInAction },
): Promise<NewSession> {
  if (replacedToken !== undefined) await endSessionOfToken(tx, replacedToken)
  await recordAccountEntry(tx, userId, { action, source, nowMs })
  const confirmedAtMs = action === 'sign-in.password' ? null : nowMs
  return createSession(tx, userId, { ...source, confirmedAtMs, nowMs })
}

/**
 * Changes the password of an account, ends all its sessions and password reset links, and creates a
 * session for the caller, which is confirmed as the one before. Returns the session, and the
 * account with its new hash. Returns undefined if the password was changed in the meantime.
 */
export async function changePassword(
  db: Database,
  user: ProvenUser,
  {
    newPassword,
    confirmedAtMs,
    source,
    nowMs,
  }: { newPassword: string; confirmedAtMs: number | null; source: AccountSource; nowMs: number },
): Promise<{ made: NewSession; owner: ProvenUser } | undefined> {
  // Hashing runs before the transaction: it takes about 30 ms, during which SQLite could write
  // nothing else.
  const passwordHash = await hashNewPassword(newPassword, { ...user, path: 'newPassword' })
  return inTransaction(db, async (tx) => {
    await lockAccount(tx, user.id)
    if (!(await stillHasPassword(tx, user))) return undefined
    await setPassword(tx, user.id, passwordHash)
    await recordAccountEntry(tx, user.id, { action: 'password.change', source, nowMs })
    const made = await createSession(tx, user.id, { ...source, confirmedAtMs, nowMs })
    return { made, owner: { ...user, passwordHash } }
  })
}

/** Stores a password hash, and ends all sessions and password reset links of the account. */
export async function setPassword(tx: Database, userId: string, passwordHash: string): Promise<void> {
  await tx.kysely
    .updateTable('users')
    .set({ password_hash: passwordHash })
    .where('id', '=', userId)
    .modifyEnd(tag('catalogue.setPassword'))
    .execute()
  await endSessionsOf(tx, userId)
  await tx.kysely
    .deleteFrom('password_resets')
    .where('user_id', '=', userId)
    .modifyEnd(tag('catalogue.endPasswordResets'))
    .execute()
}

/** A slow sign-in must not succeed with the old password after the password was changed. */
async function stillHasPassword(tx: Database, { id, passwordHash }: ProvenUser): Promise<boolean> {
  const row = await tx.kysely
    .selectFrom('users')
    .select('id')
    .where('id', '=', id)
    .where('password_hash', '=', passwordHash)
    .executeTakeFirst()
  return row !== undefined
}
