import { limits } from '@everscan/contract/schema/limits.ts'
import { inTransaction, tag, type Database } from '../../db/database.ts'
import { createId } from '../../ids.ts'
import { recordAccountEntry, type AccountSource } from './account-log.ts'
import { replaceRecoveryCodes } from './recovery-codes.ts'
import { dropUselessRecoveryCodes, readSecondFactors, requiresSecondFactor } from './second-factors.ts'
import { dropOtherConfirmations, isSessionLeft, noteConfirmation, type OwnSession } from './sessions.ts'
import { isChallengeUsed, useChallenge, type Challenge } from './used-challenges.ts'
import { lockAccount } from './users.ts'

export type PasskeyRow = {
  id: string
  userId: string
  /** In base64url, as the browser sends it. */
  credentialId: string
  /** COSE key, in base64url. */
  publicKey: string
  /** JSON of an array of strings. */
  transports: string
  backedUp: 0 | 1
  name: string
  createdAtMs: number
  lastUsedAtMs: number | null
}

/** A new passkey whose registration was verified. */
export type NewPasskey = OwnSession & {
  name: string
  credentialId: string
  publicKey: string
  counter: number
  transports: readonly string[]
  backedUp: boolean
  challenge: Challenge
  source: AccountSource
  nowMs: number
}

/** A use of a passkey whose signature was verified. */
export type PasskeyUse = {
  id: string
  userId: string
  counter: number
  backedUp: boolean
  challenge: Challenge
}

const columns = [
  'id',
  'user_id as userId',
  'credential_id as credentialId',
  'public_key as publicKey',
  'transports',
  'backed_up as backedUp',
  'name',
  'created_at_ms as createdAtMs',
  'last_used_at_ms as lastUsedAtMs',
] as const

/** Returns all passkeys of an account, oldest first: at most `limits.passkeysMax`. */
export async function listPasskeys(db: Database, userId: string): Promise<PasskeyRow[]> {
  return db.kysely
    .selectFrom('passkeys')
    .select(columns)
    .where('user_id', '=', userId)
    .orderBy('id')
    .modifyEnd(tag('catalogue.listPasskeys'))
    .execute()
}

/** Returns the passkey with this credential, or undefined. */
export async function findPasskey(db: Database, credentialId: string): Promise<PasskeyRow | undefined> {
  return db.kysely
    .selectFrom('passkeys')
    .select(columns)
    .where('credential_id', '=', credentialId)
    .modifyEnd(tag('catalogue.findPasskey'))
    .executeTakeFirst()
}

/**
 * Adds a passkey, and confirms the session. Returns recovery codes, which cannot be read again, if
 * it is the first second factor of the account. Returns why it was not added otherwise: `KNOWN` if
 * some account has the credential already.
 */
export async function addPasskey(
  db: Database,
  { userId, sessionId, challenge, source, nowMs, ...added }: NewPasskey,
): Promise<
  | { passkey: PasskeyRow; recoveryCodes: string[] | null }
  | 'TOO_MANY'
  | 'KNOWN'
  | 'CHALLENGE_USED'
  | 'SESSION_ENDED'
> {
  return inTransaction(db, async (tx) => {
    await lockAccount(tx, userId)
    // A slow request must not add a way in after a new password or a takeover ended all others.
    if (!(await isSessionLeft(tx, { userId, sessionId }))) return 'SESSION_ENDED'
    const before = await readSecondFactors(tx, userId)
    if (before.passkeys >= limits.passkeysMax) return 'TOO_MANY'
    if ((await findPasskey(tx, added.credentialId)) !== undefined) return 'KNOWN'
    if (!(await useChallenge(tx, challenge, nowMs))) return 'CHALLENGE_USED'
    const passkey = await tx.kysely
      .insertInto('passkeys')
      .values({
        id: createId('psk'),
        user_id: userId,
        credential_id: added.credentialId,
        public_key: added.publicKey,
        counter: added.counter,
        transports: JSON.stringify(added.transports),
        backed_up: added.backedUp ? 1 : 0,
        name: added.name,
        created_at_ms: nowMs,
        last_used_at_ms: null,
      })
      // Another account may be adding the same credential.
      .onConflict((conflict) => conflict.column('credential_id').doNothing())
      .returning(columns)
      .modifyEnd(tag('catalogue.addPasskey'))
      .executeTakeFirst()
    if (passkey === undefined) return 'KNOWN'
    await noteConfirmation(tx, { userId, sessionId }, nowMs)
    await recordAccountEntry(tx, userId, { action: 'passkey.add', source, nowMs })
    const recoveryCodes = requiresSecondFactor(before) ? null : await replaceRecoveryCodes(tx, userId)
    return { passkey, recoveryCodes }
  })
}

/** Renames a passkey of an account. Returns undefined if the account has no such passkey. */
export async function renamePasskey(
  db: Database,
  { userId, id, name }: { userId: string; id: string; name: string },
): Promise<PasskeyRow | undefined> {
  return db.kysely
    .updateTable('passkeys')
    .set({ name })
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .returning(columns)
    .modifyEnd(tag('catalogue.renamePasskey'))
    .executeTakeFirst()
}

/**
 * Removes a passkey of an account, and its recovery codes with the last second factor. Only this
 * session stays confirmed. Returns false if the account has no such passkey.
 */
export async function removePasskey(
  db: Database,
  { userId, sessionId, id, source, nowMs }: OwnSession & { id: string; source: AccountSource; nowMs: number },
): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    await lockAccount(tx, userId)
    const { numDeletedRows } = await tx.kysely
      .deleteFrom('passkeys')
      .where('user_id', '=', userId)
      .where('id', '=', id)
      .modifyEnd(tag('catalogue.removePasskey'))
      .executeTakeFirst()
    if (numDeletedRows === 0n) return false
    await dropUselessRecoveryCodes(tx, userId)
    await dropOtherConfirmations(tx, { userId, sessionId })
    await recordAccountEntry(tx, userId, { action: 'passkey.remove', source, nowMs })
    return true
  })
}

/**
 * Records a use of a passkey, in the transaction of what it permits and after `lockAccount`.
 * Returns false, and changes nothing, if the passkey was removed, if its challenge was used before,
 * or if its counter did not grow: then a copy of the authenticator may exist (Web Authentication,
 * section 6.1.1), which the log of the account says. Those that do not count send 0.
 */
export async function usePasskey(
  tx: Database,
  { id, userId, counter, backedUp, challenge }: PasskeyUse,
  { source, nowMs }: { source: AccountSource; nowMs: number },
): Promise<boolean> {
  const row = await tx.kysely
    .selectFrom('passkeys')
    .select('counter')
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .modifyEnd(tag('catalogue.readPasskeyCounter'))
    .executeTakeFirst()
  if (row === undefined) return false
  // First: the counter of a request that was sent twice does not grow either.
  if (await isChallengeUsed(tx, challenge)) return false
  if (counter <= row.counter && (counter !== 0 || row.counter !== 0)) {
    tx.log.warn(
      { userId, passkeyId: id, counter, counterBefore: row.counter },
      'a passkey was refused because its counter did not grow: its authenticator may have been copied',
    )
    await recordAccountEntry(tx, userId, { action: 'passkey.counter-refused', source, nowMs })
    return false
  }
  if (!(await useChallenge(tx, challenge, nowMs))) return false
  await tx.kysely
    .updateTable('passkeys')
    .set({ counter, backed_up: backedUp ? 1 : 0, last_used_at_ms: nowMs })
    .where('id', '=', id)
    .modifyEnd(tag('catalogue.usePasskey'))
    .execute()
  return true
}
