import { Secret, TOTP } from 'otpauth'
import { inTransaction, tag, type Database } from '../../db/database.ts'
import type { SecretBox } from '../../secret-box.ts'
import { recordAccountEntry, type AccountSource } from './account-log.ts'
import { usePasskey, type PasskeyUse } from './passkeys.ts'
import { replaceRecoveryCodes, useRecoveryCode } from './recovery-codes.ts'
import { dropOtherConfirmations, isSessionLeft, noteConfirmation, type OwnSession } from './sessions.ts'
import { dropUselessRecoveryCodes, hasTwoFactor, readSecondFactors } from './second-factors.ts'
import { lockAccount } from './users.ts'

/** The second factor that a user gives after the password. A passkey's signature was verified. */
export type SecondFactor = {
  code?: string | undefined
  recoveryCode?: string | undefined
  passkey?: PasskeyUse | undefined
}

export type GivenFactor = SecondFactor & { userId: string; source: AccountSource; nowMs: number }

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
 * Creates a secret for the account's authenticator. Replaces an unconfirmed secret. Sign-in does
 * not require a code until the secret is confirmed. Returns undefined if the account has an
 * authenticator already.
 */
export async function beginTwoFactor(
  db: Database,
  box: SecretBox,
  { userId, email, nowMs }: { userId: string; email: string; nowMs: number },
): Promise<{ secret: string; otpauthUri: string } | undefined> {
  const secret = new Secret({ size: secretBytes })
  return inTransaction(db, async (tx) => {
    await lockAccount(tx, userId)
    if (await hasAuthenticator(tx, userId)) return undefined
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
 * Turns two-factor sign-in by authenticator on, and confirms the session. Returns new recovery
 * codes, which cannot be read again and replace those of passkeys. Returns undefined if the code is
 * wrong, no secret was created or the session has ended.
 */
export async function confirmTwoFactor(
  db: Database,
  box: SecretBox,
  {
    userId,
    sessionId,
    code,
    source,
    nowMs,
  }: OwnSession & { code: string; source: AccountSource; nowMs: number },
): Promise<string[] | undefined> {
  return inTransaction(db, async (tx) => {
    await lockAccount(tx, userId)
    // A slow request must not turn it on after a new password or a takeover ended its session.
    if (!(await isSessionLeft(tx, { userId, sessionId }))) return undefined
    if (await hasAuthenticator(tx, userId)) return undefined
    if (!(await useCode(tx, box, { userId, code, nowMs }))) return undefined
    await tx.kysely
      .updateTable('two_factors')
      .set({ confirmed_at_ms: nowMs })
      .where('user_id', '=', userId)
      .modifyEnd(tag('catalogue.confirmTwoFactor'))
      .execute()
    await noteConfirmation(tx, { userId, sessionId }, nowMs)
    await recordAccountEntry(tx, userId, { action: 'two-factor.on', source, nowMs })
    return replaceRecoveryCodes(tx, userId)
  })
}

/**
 * Whether a second factor is correct. A correct code is used up: among simultaneous calls with one
 * code, only one returns true. The authenticator must be confirmed: a secret that was only begun is
 * known to whoever had the password and a session, and the account may have passkeys since.
 */
export async function useSecondFactor(
  tx: Database,
  box: SecretBox,
  { userId, code, recoveryCode, passkey, source, nowMs }: GivenFactor,
): Promise<boolean> {
  if (code !== undefined)
    return (await hasAuthenticator(tx, userId)) && useCode(tx, box, { userId, code, nowMs })
  if (passkey !== undefined) return passkey.userId === userId && usePasskey(tx, passkey, { source, nowMs })
  return recoveryCode !== undefined && useRecoveryCode(tx, userId, recoveryCode)
}

/**
 * Replaces the recovery codes and returns the new codes, which cannot be read again. Only this
 * session stays confirmed. Returns undefined if the account has no second factor.
 */
export async function renewRecoveryCodes(
  db: Database,
  { userId, sessionId }: OwnSession,
  { source, nowMs }: { source: AccountSource; nowMs: number },
): Promise<string[] | undefined> {
  return inTransaction(db, async (tx) => {
    await lockAccount(tx, userId)
    if (!(await hasTwoFactor(tx, userId))) return undefined
    await dropOtherConfirmations(tx, { userId, sessionId })
    await recordAccountEntry(tx, userId, { action: 'recovery-codes.renew', source, nowMs })
    return replaceRecoveryCodes(tx, userId)
  })
}

/**
 * Turns two-factor sign-in by authenticator off; passkeys stay, and only this session stays
 * confirmed. Returns false if the account has no authenticator.
 */
export async function endTwoFactor(
  db: Database,
  { userId, sessionId }: OwnSession,
  { source, nowMs }: { source: AccountSource; nowMs: number },
): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    await lockAccount(tx, userId)
    if (!(await hasAuthenticator(tx, userId))) return false
    await tx.kysely.deleteFrom('two_factors').where('user_id', '=', userId).execute()
    await dropUselessRecoveryCodes(tx, userId)
    await dropOtherConfirmations(tx, { userId, sessionId })
    await recordAccountEntry(tx, userId, { action: 'two-factor.off', source, nowMs })
    return true
  })
}

async function hasAuthenticator(tx: Database, userId: string): Promise<boolean> {
  return (await readSecondFactors(tx, userId)).authenticator
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
