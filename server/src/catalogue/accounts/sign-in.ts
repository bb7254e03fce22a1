import { inTransaction, tag, type Database } from '../../db/database.ts'
import type { SecretBox } from '../../secret-box.ts'
import { hashPassword, dummyHash, verifyPassword } from './passwords.ts'
import { createSession, endSessionOfToken, endSessionsOf, type SessionRow } from './sessions.ts'
import { hasTwoFactor, useSecondFactor, type SecondFactor } from './two-factor.ts'
import { findUserByEmail, lockAccount, type UserRow } from './users.ts'

/** An account whose password was given. */
export type ProvenUser = Pick<UserRow, 'id' | 'passwordHash'>

export type NewSession = { session: SessionRow; token: string }

/** The account of an address and its password; undefined: one of them is wrong, which is found out after the same work. */
export async function findUserByPassword(
  db: Database,
  { email, password }: { email: string; password: string },
): Promise<UserRow | undefined> {
  const user = await findUserByEmail(db, email)
  const right = await verifyPassword(password, user?.passwordHash ?? dummyHash)
  return right ? user : undefined
}

/** Whether a password is the one of an account. */
export async function isPasswordOf(
  db: Database,
  userId: string,
  password: string,
): Promise<ProvenUser | undefined> {
  const user = await db.kysely
    .selectFrom('users')
    .select(['id', 'password_hash as passwordHash'])
    .where('id', '=', userId)
    .modifyEnd(tag('catalogue.readPassword'))
    .executeTakeFirst()
  const right = await verifyPassword(password, user?.passwordHash ?? dummyHash)
  return right ? user : undefined
}

export type SignInOptions = SecondFactor & {
  /** The token of a session that the caller has: it ends. */
  replacedToken?: string | undefined
  userAgent: string | null
  nowMs: number
}

/**
 * Begins a session for whoever gave the password. `CODE_REQUIRED`: the account asks for a second factor, and none came; `CODE_WRONG`: it is
 * wrong or used up; undefined: the password was changed meanwhile.
 */
export async function signIn(
  db: Database,
  { box, user }: { box: SecretBox; user: ProvenUser },
  { code, recoveryCode, replacedToken, userAgent, nowMs }: SignInOptions,
): Promise<NewSession | 'CODE_REQUIRED' | 'CODE_WRONG' | undefined> {
  return inTransaction(db, async (tx) => {
    await lockAccount(tx, user.id)
    if (!(await stillHasPassword(tx, user))) return undefined
    if (await hasTwoFactor(tx, user.id)) {
      if (code === undefined && recoveryCode === undefined) return 'CODE_REQUIRED'
      if (!(await useSecondFactor(tx, box, { userId: user.id, code, recoveryCode, nowMs })))
        return 'CODE_WRONG'
    }
    if (replacedToken !== undefined) await endSessionOfToken(tx, replacedToken)
    return createSession(tx, user.id, { userAgent, nowMs })
  })
}

/**
 * Gives an account another password, ends all its sessions and the addresses for a new password, and begins a session for who asked.
 * Undefined: the password was changed meanwhile.
 */
export async function changePassword(
  db: Database,
  user: ProvenUser,
  { newPassword, userAgent, nowMs }: { newPassword: string; userAgent: string | null; nowMs: number },
): Promise<NewSession | undefined> {
  // Before the transaction: it takes some 30 ms, and nothing else can be written meanwhile on SQLite.
  const passwordHash = await hashPassword(newPassword)
  return inTransaction(db, async (tx) => {
    await lockAccount(tx, user.id)
    if (!(await stillHasPassword(tx, user))) return undefined
    await setPassword(tx, user.id, passwordHash)
    return createSession(tx, user.id, { userAgent, nowMs })
  })
}

/** Writes down a password, and ends everything that could be used in its place. */
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

/** Who was slow to sign in must not come in with a password that was just changed. */
async function stillHasPassword(tx: Database, { id, passwordHash }: ProvenUser): Promise<boolean> {
  const row = await tx.kysely
    .selectFrom('users')
    .select('id')
    .where('id', '=', id)
    .where('password_hash', '=', passwordHash)
    .executeTakeFirst()
  return row !== undefined
}
