import type { DashboardLanguage } from '@everscan/contract/schema/dashboard-languages.ts'
import { tag, type Database } from '../../db/database.ts'
import { recordAccountEntry, type AccountSource } from './account-log.ts'
import { removeSecondFactors, type SecondFactors } from './second-factors.ts'
import { setPassword } from './sign-in.ts'
import { lockAccount } from './users.ts'

type OwnerRequest = { source: AccountSource; nowMs: number }

/**
 * Records that the owner of an account proved its e-mail address. Returns false, and changes
 * nothing, if it was confirmed before.
 */
export async function confirmEmail(
  tx: Database,
  userId: string,
  { source, nowMs }: OwnerRequest,
): Promise<boolean> {
  if (!(await setConfirmed(tx, userId, nowMs))) return false
  await recordAccountEntry(tx, userId, { action: 'email.confirm', source, nowMs })
  return true
}

/**
 * Gives an account to the person who just proved its e-mail address, which nobody had done before:
 * anybody may have created it. Returns false, and changes nothing, if the address was confirmed in
 * the meantime.
 */
export async function takeOverAccount(
  tx: Database,
  userId: string,
  {
    name,
    passwordHash,
    language,
    source,
    nowMs,
  }: OwnerRequest & { name: string; passwordHash: string; language: DashboardLanguage | undefined },
): Promise<boolean> {
  await lockAccount(tx, userId)
  if (!(await setConfirmed(tx, userId, nowMs))) return false
  await tx.kysely
    .updateTable('users')
    .set({ name, language: language ?? null })
    .where('id', '=', userId)
    .modifyEnd(tag('catalogue.takeOverAccount'))
    .execute()
  await replaceAccess(tx, userId, passwordHash)
  await recordAccountEntry(tx, userId, { action: 'account.take-over', source, nowMs })
  return true
}

/**
 * Makes a password the only way into an account: ends its sessions and password reset links, and
 * removes its authenticator, recovery codes and passkeys. Known devices end with the old password.
 * Returns the second factors that it removed.
 */
export async function replaceAccess(
  tx: Database,
  userId: string,
  passwordHash: string,
): Promise<SecondFactors> {
  await setPassword(tx, userId, passwordHash)
  return removeSecondFactors(tx, userId)
}

async function setConfirmed(tx: Database, userId: string, nowMs: number): Promise<boolean> {
  const { numUpdatedRows } = await tx.kysely
    .updateTable('users')
    .set({ email_confirmed_at_ms: nowMs })
    .where('id', '=', userId)
    .where('email_confirmed_at_ms', 'is', null)
    .modifyEnd(tag('catalogue.setConfirmed'))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
