import { randomBytes } from 'node:crypto'
import { limits } from '@everscan/contract/schema/limits.ts'
import { sql, type SqlBool } from 'kysely'
import { Secret, TOTP } from 'otpauth'
import { inTransaction, tag, type Database } from '../../db/database.ts'
import type { SecretBox } from '../../secret-box.ts'
import { recordAccountEntry, type AccountSource } from './account-log.ts'
import { hashOfToken } from './tokens.ts'
import { lockAccount } from './users.ts'

/** The code or recovery code that a user enters in addition to the password. */
export type SecondFactor = { code?: string | undefined; recoveryCode?: string | undefined }

/** RFC 4226 section 4 asks for at least 128 bits and recommends 160. */
const secretBytes = 20
const stepSeconds = 30
/**
 * Steps accepted before and after the current step: clocks differ, and people type slowly (RFC 6238
 * section 5.2).
 */
const window = 1
const issuer = 'Everscan'
/**
 * Crockford's base 32: 120 bits, in groups that are easy to read aloud. From 112 bits on, a fast
 * hash without salt is safe (OWASP ASVS 5.0, 6.5.2). Codes of earlier releases have 80 bits.
 */
const recoveryBytes = 15
const base32 = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/**
 * Creates a secret for the account's authenticator. Replaces an unconfirmed secret. Sign-in does
 * not require a code until the secret is confirmed. Returns undefined if the account has two-factor
 * sign-in already.
 */
export async function beginTwoFactor(
  db: Database,
  box: SecretBox,
  { userId, email, nowMs }: { userId: string; email: string; nowMs: number },
): Promise<{ secret: string; otpauthUri: string } | undefined> {
  const secret = new Secret({ size: secretBytes })
  return inTransaction(db, async (tx) => {
    await lockAccount(tx, userId)
    if (await hasTwoFactor(tx, userId)) return undefined
    const values = {
      user_id: userId,
      secret: box.seal(secret.base32, userId),
      last_step: 0,
      created_at_ms: nowMs,
      confirmed_at_ms: null,
    }
    await tx.kysely
      .insertInto('two_factors')
      .values(values)
      .onConflict((conflict) => conflict.column('user_id').doUpdateSet(values))
      .modifyEnd(tag('catalogue.beginTwoFactor'))
      .execute()
    const otpauthUri = new TOTP({ issuer, label: email, secret }).toString()
    return { secret: secret.base32, otpauthUri }
  })
}

/**
 * Turns two-factor sign-in on and returns the recovery codes, which cannot be read again. Returns
 * undefined if the code is wrong or no secret was created.
 */
export async function confirmTwoFactor(
  db: Database,
  box: SecretBox,
  { userId, code, source, nowMs }: { userId: string; code: string; source: AccountSource; nowMs: number },
): Promise<string[] | undefined> {
  return inTransaction(db, async (tx) => {
    await lockAccount(tx, userId)
    if (await hasTwoFactor(tx, userId)) return undefined
    if (!(await useCode(tx, box, { userId, code, nowMs }))) return undefined
    await tx.kysely
      .updateTable('two_factors')
      .set({ confirmed_at_ms: nowMs })
      .where('user_id', '=', userId)
      .modifyEnd(tag('catalogue.confirmTwoFactor'))
      .execute()
    await recordAccountEntry(tx, userId, { action: 'two-factor.on', source, nowMs })
    return replaceRecoveryCodes(tx, userId)
  })
}

/**
 * Whether the account in this column of a query has two-factor sign-in: SQL for `select` and
 * `where`.
 */
export function accountHasTwoFactor(column: 'sessions.user_id' | 'members.user_id') {
  return sql<SqlBool>`exists (
    select 1 from two_factors
    where two_factors.user_id = ${sql.ref(column)} and two_factors.confirmed_at_ms is not null
  )`
}

/** Whether sign-in requires a second factor. */
export async function hasTwoFactor(db: Database, userId: string): Promise<boolean> {
  const row = await db.kysely
    .selectFrom('two_factors')
    .select('user_id')
    .where('user_id', '=', userId)
    .where('confirmed_at_ms', 'is not', null)
    .modifyEnd(tag('catalogue.hasTwoFactor'))
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Whether a second factor is correct. A correct code is used up: among simultaneous calls with one
 * code, only one returns true.
 */
export async function useSecondFactor(
  tx: Database,
  box: SecretBox,
  { userId, code, recoveryCode, nowMs }: SecondFactor & { userId: string; nowMs: number },
): Promise<boolean> {
  if (code !== undefined) return useCode(tx, box, { userId, code, nowMs })
  return recoveryCode !== undefined && useRecoveryCode(tx, userId, recoveryCode)
}

/**
 * Replaces the recovery codes and returns the new codes, which cannot be read again. Returns
 * undefined if the account has no second factor.
 */
export async function renewRecoveryCodes(
  db: Database,
  userId: string,
  { source, nowMs }: { source: AccountSource; nowMs: number },
): Promise<string[] | undefined> {
  return inTransaction(db, async (tx) => {
    await lockAccount(tx, userId)
    if (!(await hasTwoFactor(tx, userId))) return undefined
    await recordAccountEntry(tx, userId, { action: 'recovery-codes.renew', source, nowMs })
    return replaceRecoveryCodes(tx, userId)
  })
}

/** Turns two-factor sign-in off. Returns false if the code is wrong or already used. */
export async function endTwoFactor(
  db: Database,
  box: SecretBox,
  { source, ...factor }: SecondFactor & { userId: string; source: AccountSource; nowMs: number },
): Promise<boolean> {
  const { userId, code, nowMs } = factor
  return inTransaction(db, async (tx) => {
    await lockAccount(tx, userId)
    if (!(await useSecondFactor(tx, box, factor))) return false
    if (code === undefined)
      await recordAccountEntry(tx, userId, { action: 'recovery-code.use', source, nowMs })
    await removeTwoFactor(tx, userId)
    await recordAccountEntry(tx, userId, { action: 'two-factor.off', source, nowMs })
    return true
  })
}

/** Deletes the second factor of an account and its recovery codes. */
export async function removeTwoFactor(tx: Database, userId: string): Promise<void> {
  await tx.kysely.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()
  await tx.kysely.deleteFrom('two_factors').where('user_id', '=', userId).execute()
}

async function replaceRecoveryCodes(tx: Database, userId: string): Promise<string[]> {
  const codes = Array.from({ length: limits.recoveryCodes }, createRecoveryCode)
  await tx.kysely.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()
  await tx.kysely
    .insertInto('recovery_codes')
    .values(codes.map((code) => ({ user_id: userId, code_hash: hashOfRecoveryCode(code) })))
    .modifyEnd(tag('catalogue.replaceRecoveryCodes'))
    .execute()
  return codes
}

async function useCode(
  tx: Database,
  box: SecretBox,
  { userId, code, nowMs }: { userId: string; code: string; nowMs: number },
): Promise<boolean> {
  const row = await tx.kysely
    .selectFrom('two_factors')
    .select('secret')
    .where('user_id', '=', userId)
    .modifyEnd(tag('catalogue.readTwoFactor'))
    .executeTakeFirst()
  if (row === undefined) return false
  const secret = box.open(row.secret, userId)
  if (secret === undefined) throw new Error('a two-factor secret was sealed with a different SECRET')
  const totp = new TOTP({ secret: Secret.fromBase32(secret), period: stepSeconds })
  const delta = totp.validate({ token: code, timestamp: nowMs, window })
  if (delta === null) return false
  const step = Math.floor(nowMs / 1000 / stepSeconds) + delta
  const { numUpdatedRows } = await tx.kysely
    .updateTable('two_factors')
    .set({ last_step: step })
    .where('user_id', '=', userId)
    .where('last_step', '<', step)
    .modifyEnd(tag('catalogue.useCode'))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

async function useRecoveryCode(tx: Database, userId: string, recoveryCode: string): Promise<boolean> {
  const { numDeletedRows } = await tx.kysely
    .deleteFrom('recovery_codes')
    .where('user_id', '=', userId)
    .where('code_hash', '=', hashOfRecoveryCode(recoveryCode))
    .modifyEnd(tag('catalogue.useRecoveryCode'))
    .executeTakeFirst()
  return numDeletedRows > 0n
}

function createRecoveryCode(): string {
  let rest = BigInt(`0x${randomBytes(recoveryBytes).toString('hex')}`)
  let text = ''
  for (; text.length < (recoveryBytes * 8) / 5; rest >>= 5n) text = base32.charAt(Number(rest & 31n)) + text
  return text.replaceAll(/(.{4})(?!$)/g, '$1-')
}

/** Accepts codes as people type them: in any letter case, O for 0, I and L for 1. */
function hashOfRecoveryCode(text: string): string {
  const plain = text.toUpperCase().replaceAll(/[\s-]/g, '').replaceAll('O', '0').replaceAll(/[IL]/g, '1')
  return hashOfToken(plain)
}
