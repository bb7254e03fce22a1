import { randomBytes } from 'node:crypto'
import { limits } from '@everscan/contract/schema/limits.ts'
import { tag, type Database } from '../../db/database.ts'
import { hashOfToken } from './tokens.ts'

/**
 * Crockford's base 32: 120 bits, in groups that are easy to read aloud. From 112 bits on, a fast
 * hash without salt is safe (OWASP ASVS 5.0, 6.5.2). Codes of earlier releases have 80 bits.
 */
const recoveryBytes = 15
const base32 = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** Replaces the recovery codes and returns the new codes, which cannot be read again. */
export async function replaceRecoveryCodes(tx: Database, userId: string): Promise<string[]> {
  const codes = Array.from({ length: limits.recoveryCodes }, createRecoveryCode)
  await deleteRecoveryCodes(tx, userId)
  await tx.kysely
    .insertInto('recovery_codes')
    .values(codes.map((code) => ({ user_id: userId, code_hash: hashOfRecoveryCode(code) })))
    .modifyEnd(tag('catalogue.replaceRecoveryCodes'))
    .execute()
  return codes
}

export async function deleteRecoveryCodes(tx: Database, userId: string): Promise<void> {
  await tx.kysely.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()
}

/** Whether a recovery code is correct. A correct code is used up. */
export async function useRecoveryCode(tx: Database, userId: string, recoveryCode: string): Promise<boolean> {
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
