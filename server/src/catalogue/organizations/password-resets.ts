import { limits } from '@everscan/contract/schema/limits.ts'
import { inTransaction, tag, type Database } from '../../db/database.ts'
import { recordAudit } from '../ledger/audit-log.ts'
import type { ChangeOrigin } from '../rows/change-origins.ts'
import { readMember, type MemberKey } from './members.ts'
import { listOrganizationsOfUser } from './organizations.ts'
import { hashPassword } from '../accounts/passwords.ts'
import { setPassword } from '../accounts/sign-in.ts'
import { createToken, hashOfToken } from '../accounts/tokens.ts'
import { removeTwoFactor } from '../accounts/two-factor.ts'
import { lockAccount } from '../accounts/users.ts'

export type CreatedReset = { token: string; expiresAtMs: number }

const hourMs = 3_600_000

/**
 * Makes an address for a new password that a person asked for themselves, or a stranger did: it ends no other. Undefined: as many wait as may
 * (`limits.passwordResetsMax`).
 */
export async function requestPasswordReset(
  db: Database,
  userId: string,
  nowMs: number,
): Promise<CreatedReset | undefined> {
  return inTransaction(db, async (tx) => {
    await lockAccount(tx, userId)
    await tx.kysely
      .deleteFrom('password_resets')
      .where('user_id', '=', userId)
      .where('expires_at_ms', '<=', nowMs)
      .execute()
    const waiting = await tx.kysely
      .selectFrom('password_resets')
      .select('token_hash')
      .where('user_id', '=', userId)
      .execute()
    if (waiting.length >= limits.passwordResetsMax) return undefined
    return insertReset(tx, { userId, madeBy: null, nowMs })
  })
}

/** Makes one for whoever runs the installation; those that wait end. */
export async function createPasswordReset(
  db: Database,
  { userId, madeBy = null, nowMs }: { userId: string; madeBy?: string | null; nowMs: number },
): Promise<CreatedReset> {
  return inTransaction(db, async (tx) => {
    await lockAccount(tx, userId)
    await tx.kysely.deleteFrom('password_resets').where('user_id', '=', userId).execute()
    return insertReset(tx, { userId, madeBy, nowMs })
  })
}

/**
 * Makes one on the word of whoever runs the installation, and takes the second factor away if that was lost too. Every
 * organization of the account has it in its log.
 */
export async function createOperatorPasswordReset(
  db: Database,
  user: { id: string; email: string; name: string },
  { alsoTwoFactor, origin, nowMs }: { alsoTwoFactor: boolean; origin: ChangeOrigin; nowMs: number },
): Promise<CreatedReset> {
  return inTransaction(db, async (tx) => {
    const made = await createPasswordReset(tx, { userId: user.id, nowMs })
    if (alsoTwoFactor) await removeTwoFactor(tx, user.id)
    const fields = alsoTwoFactor ? ['twoFactor'] : []
    for (const { id } of await listOrganizationsOfUser(tx, user.id))
      await recordAudit(tx, id, [{ action: 'member.reset-password', target: user, fields, origin, nowMs }])
    return made
  })
}

/**
 * Makes one for a member. Undefined: no such member; `NOT_ALLOWED`: the member is also where the caller is not ADMIN, and who set the password
 * there would come in.
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
    const made = await createPasswordReset(tx, { userId: key.userId, madeBy: adminId, nowMs })
    await recordAudit(tx, key.organizationId, [
      { action: 'member.reset-password', target: member, origin, nowMs },
    ])
    return made
  })
}

/**
 * Sets the password of the account that a token is for, and ends its sessions. False: nothing waits under this token, or it was made by an ADMIN
 * who by now may not do so.
 */
export async function usePasswordReset(
  db: Database,
  { token, newPassword, nowMs }: { token: string; newPassword: string; nowMs: number },
): Promise<boolean> {
  const tokenHash = hashOfToken(token)
  const waits = await db.kysely
    .selectFrom('password_resets')
    .select('user_id as userId')
    .where('token_hash', '=', tokenHash)
    .where('expires_at_ms', '>', nowMs)
    .modifyEnd(tag('catalogue.findPasswordReset'))
    .executeTakeFirst()
  if (waits === undefined) return false
  // Before the transaction: it takes some 30 ms, and nothing else can be written meanwhile on SQLite.
  const passwordHash = await hashPassword(newPassword)
  return inTransaction(db, async (tx) => {
    await lockAccount(tx, waits.userId)
    const used = await tx.kysely
      .deleteFrom('password_resets')
      .where('token_hash', '=', tokenHash)
      .returning(['user_id as userId', 'made_by as madeBy'])
      .modifyEnd(tag('catalogue.usePasswordReset'))
      .executeTakeFirst()
    if (used === undefined) return false
    if (used.madeBy !== null && !(await isAdminOfAll(tx, used.madeBy, used.userId))) return false
    await setPassword(tx, used.userId, passwordHash)
    return true
  })
}

async function insertReset(
  tx: Database,
  { userId, madeBy, nowMs }: { userId: string; madeBy: string | null; nowMs: number },
): Promise<CreatedReset> {
  const token = createToken()
  const expiresAtMs = nowMs + limits.passwordResetHours * hourMs
  await tx.kysely
    .insertInto('password_resets')
    .values({
      token_hash: hashOfToken(token),
      user_id: userId,
      made_by: madeBy,
      created_at_ms: nowMs,
      expires_at_ms: expiresAtMs,
    })
    .modifyEnd(tag('catalogue.insertReset'))
    .execute()
  return { token, expiresAtMs }
}

/** Whether an account is ADMIN of every organization that another is a member of, of which there must be one. */
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
