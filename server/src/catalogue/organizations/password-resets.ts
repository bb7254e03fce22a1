import type { AccountAction } from '@everscan/contract/resources/account-log.ts'
import type { Actor } from '@everscan/contract/resources/actors.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import { inTransaction, tag, type Database } from '../../db/database.ts'
import { recordAudit } from '../ledger/audit-log.ts'
import type { ChangeOrigin } from '../rows/change-origins.ts'
import { readMember, type MemberKey } from './members.ts'
import { listOrganizationsOfUser } from './organizations.ts'
import {
  noSource,
  recordAccountEntry,
  type AccountSource,
  type NewAccountEntry,
} from '../accounts/account-log.ts'
import { confirmEmail, replaceAccess } from '../accounts/email-confirmation.ts'
import { hashNewPassword } from '../accounts/new-passwords.ts'
import { removeSecondFactors, type SecondFactors } from '../accounts/second-factors.ts'
import { setPassword, type ProvenUser } from '../accounts/sign-in.ts'
import { createToken, hashOfToken } from '../accounts/tokens.ts'
import { lockAccount } from '../accounts/users.ts'

export type CreatedReset = { token: string; expiresAtMs: number }

const hourMs = 3_600_000

/**
 * Creates a password reset link to be mailed. It was requested without authentication, possibly by
 * a stranger: other links remain valid. Returns undefined if `limits.passwordResetsMax` are
 * pending.
 */
export async function requestPasswordReset(
  db: Database,
  userId: string,
  { source, nowMs }: { source: AccountSource; nowMs: number },
): Promise<CreatedReset | undefined> {
  return inTransaction(db, async (tx) => {
    await lockAccount(tx, userId)
    await tx.kysely
      .deleteFrom('password_resets')
      .where('user_id', '=', userId)
      .where('expires_at_ms', '<=', nowMs)
      .execute()
    const pending = await tx.kysely
      .selectFrom('password_resets')
      .select('token_hash')
      .where('user_id', '=', userId)
      .execute()
    if (pending.length >= limits.passwordResetsMax) return undefined
    await recordAccountEntry(tx, userId, { action: 'password-reset.request', source, nowMs })
    return insertReset(tx, { userId, madeBy: null, mailed: 1, nowMs })
  })
}

/** Creates a password reset link for an ADMIN or the operator. Pending links end. */
export async function createPasswordReset(
  db: Database,
  {
    userId,
    actor,
    madeBy = null,
    nowMs,
  }: { userId: string; actor: Actor; madeBy?: string | null; nowMs: number },
): Promise<CreatedReset> {
  return inTransaction(db, async (tx) => {
    await lockAccount(tx, userId)
    await tx.kysely.deleteFrom('password_resets').where('user_id', '=', userId).execute()
    const action = 'password-reset.create'
    await recordAccountEntry(tx, userId, { action, actor, source: noSource, nowMs })
    return insertReset(tx, { userId, madeBy, mailed: 0, nowMs })
  })
}

/**
 * Creates a password reset link on the operator's authority, and removes all second factors if they
 * were lost too, passkeys included. The audit log of every organization of the account records it.
 */
export async function createOperatorPasswordReset(
  db: Database,
  user: { id: string; email: string; name: string },
  { alsoTwoFactor, origin, nowMs }: { alsoTwoFactor: boolean; origin: ChangeOrigin; nowMs: number },
): Promise<CreatedReset & { passkeysRemoved: number }> {
  return inTransaction(db, async (tx) => {
    const { actor } = origin
    const made = await createPasswordReset(tx, { userId: user.id, actor, nowMs })
    const removed = alsoTwoFactor ? await removeSecondFactors(tx, user.id) : undefined
    if (removed !== undefined) await recordRemoval(tx, user.id, removed, { actor, source: noSource, nowMs })
    const passkeysRemoved = removed?.passkeys ?? 0
    const fields = [...(alsoTwoFactor ? ['twoFactor'] : []), ...(passkeysRemoved > 0 ? ['passkeys'] : [])]
    for (const { id } of await listOrganizationsOfUser(tx, user.id))
      await recordAudit(tx, id, [{ action: 'member.reset-password', target: user, fields, origin, nowMs }])
    return { ...made, passkeysRemoved }
  })
}

/**
 * Creates a password reset link for a member. Returns undefined if the member does not exist.
 * Returns `NOT_ALLOWED` if the member belongs to an organization where the caller is not ADMIN:
 * setting the password would let the caller in there.
 */
export async function createMemberPasswordReset(
  db: Database,
  key: MemberKey,
  { adminId, origin, nowMs }: { adminId: string; origin: ChangeOrigin; nowMs: number },
): Promise<CreatedReset | 'NOT_ALLOWED' | undefined> {
  return inTransaction(db, async (tx) => {
    const member = await readMember(tx, key)
    if (member === undefined) return undefined
    if (!(await isAdminOfAll(tx, adminId, key.userId))) return 'NOT_ALLOWED'
    const { actor } = origin
    const made = await createPasswordReset(tx, { userId: key.userId, actor, madeBy: adminId, nowMs })
    await recordAudit(tx, key.organizationId, [
      { action: 'member.reset-password', target: member, origin, nowMs },
    ])
    return made
  })
}

/**
 * Sets the password of the account of a token, ends its sessions and returns the account, with what
 * happened to it. A mailed token proves the address. If nobody had done so, it also removes all
 * second factors, which somebody else may have added. Returns undefined if the token is unknown or
 * expired, or if its ADMIN is no longer allowed to reset the password.
 */
export async function usePasswordReset(
  db: Database,
  {
    token,
    newPassword,
    source,
    nowMs,
  }: { token: string; newPassword: string; source: AccountSource; nowMs: number },
): Promise<{ owner: ProvenUser; actions: readonly AccountAction[] } | undefined> {
  const tokenHash = hashOfToken(token)
  const pending = await db.kysely
    .selectFrom('password_resets')
    .innerJoin('users', 'users.id', 'password_resets.user_id')
    .select(['user_id as userId', 'email', 'name'])
    .where('token_hash', '=', tokenHash)
    .where('expires_at_ms', '>', nowMs)
    .modifyEnd(tag('catalogue.findPasswordReset'))
    .executeTakeFirst()
  if (pending === undefined) return undefined
  // Hashing runs before the transaction: it takes about 30 ms, during which SQLite could write
  // nothing else.
  const passwordHash = await hashNewPassword(newPassword, { ...pending, path: 'newPassword' })
  return inTransaction(db, async (tx) => {
    await lockAccount(tx, pending.userId)
    const used = await tx.kysely
      .deleteFrom('password_resets')
      .where('token_hash', '=', tokenHash)
      .returning(['user_id as userId', 'made_by as madeBy', 'mailed'])
      .modifyEnd(tag('catalogue.usePasswordReset'))
      .executeTakeFirst()
    if (used === undefined) return undefined
    const { userId, madeBy, mailed } = used
    if (madeBy !== null && !(await isAdminOfAll(tx, madeBy, userId))) return undefined
    const actions: AccountAction[] = ['password-reset.use']
    await recordAccountEntry(tx, userId, { action: 'password-reset.use', source, nowMs })
    if (mailed === 1 && (await confirmEmail(tx, userId, { source, nowMs }))) {
      const removed = await replaceAccess(tx, userId, passwordHash)
      actions.push('email.confirm', ...(await recordRemoval(tx, userId, removed, { source, nowMs })))
    } else await setPassword(tx, userId, passwordHash)
    return { owner: { id: userId, email: pending.email, name: pending.name, passwordHash }, actions }
  })
}

/** Adds what was removed to the log of the account. Returns the actions. */
async function recordRemoval(
  tx: Database,
  userId: string,
  { authenticator, passkeys }: SecondFactors,
  entry: Pick<NewAccountEntry, 'actor' | 'source' | 'nowMs'>,
): Promise<readonly AccountAction[]> {
  const removals = [
    { action: 'two-factor.off', times: authenticator ? 1 : 0 },
    { action: 'passkey.remove', times: passkeys },
  ] as const
  const made = removals.filter(({ times }) => times > 0)
  for (const removal of made) await recordAccountEntry(tx, userId, { ...removal, ...entry })
  return made.map(({ action }) => action)
}

async function insertReset(
  tx: Database,
  { userId, madeBy, mailed, nowMs }: { userId: string; madeBy: string | null; mailed: 0 | 1; nowMs: number },
): Promise<CreatedReset> {
  const token = createToken()
  const expiresAtMs = nowMs + limits.passwordResetHours * hourMs
  await tx.kysely
    .insertInto('password_resets')
    .values({
      token_hash: hashOfToken(token),
      user_id: userId,
      made_by: madeBy,
      mailed,
      created_at_ms: nowMs,
      expires_at_ms: expiresAtMs,
    })
    .modifyEnd(tag('catalogue.insertReset'))
    .execute()
  return { token, expiresAtMs }
}

/**
 * Whether an account is ADMIN of every organization of another account, which must have at least
 * one.
 */
async function isAdminOfAll(tx: Database, adminId: string, userId: string): Promise<boolean> {
  const memberships = await tx.kysely
    .selectFrom('members')
    .leftJoin('members as admins', (join) =>
      join
        .onRef('admins.organization_id', '=', 'members.organization_id')
        .on('admins.user_id', '=', adminId)
        .on('admins.role', '=', 'ADMIN'),
    )
    .select('admins.user_id as adminId')
    .where('members.user_id', '=', userId)
    .modifyEnd(tag('catalogue.isAdminOfAll'))
    .execute()
  return memberships.length > 0 && memberships.every((row) => row.adminId === adminId)
}
