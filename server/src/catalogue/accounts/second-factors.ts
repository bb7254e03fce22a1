import { sql, type SqlBool } from 'kysely'
import { tag, type Database } from '../../db/database.ts'
import { deleteRecoveryCodes } from './recovery-codes.ts'

/** The second factors of an account, besides recovery codes. */
export type SecondFactors = {
  /** Whether an authenticator app is confirmed. */
  authenticator: boolean
  /** How many passkeys the account has. */
  passkeys: number
}

export async function readSecondFactors(db: Database, userId: string): Promise<SecondFactors> {
  const confirmed = await db.kysely
    .selectFrom('two_factors')
    .select('user_id')
    .where('user_id', '=', userId)
    .where('confirmed_at_ms', 'is not', null)
    .modifyEnd(tag('catalogue.readSecondFactors'))
    .executeTakeFirst()
  const { passkeys } = await db.kysely
    .selectFrom('passkeys')
    .select((select) => select.fn.countAll<number>().as('passkeys'))
    .where('user_id', '=', userId)
    .modifyEnd(tag('catalogue.readSecondFactors'))
    .executeTakeFirstOrThrow()
  return { authenticator: confirmed !== undefined, passkeys }
}

/** Whether sign-in with the password requires a second factor. */
export async function hasTwoFactor(db: Database, userId: string): Promise<boolean> {
  return requiresSecondFactor(await readSecondFactors(db, userId))
}

/**
 * Whether the account in this column of a query has a second factor: SQL for `select` and `where`.
 */
export function accountHasTwoFactor(column: 'sessions.user_id' | 'members.user_id') {
  return sql<SqlBool>`(
    exists (
      select 1 from two_factors
      where two_factors.user_id = ${sql.ref(column)} and two_factors.confirmed_at_ms is not null
    )
    or exists (select 1 from passkeys where passkeys.user_id = ${sql.ref(column)})
  )`
}

/** For queries of `users`: how many passkeys the account of the row has. */
export const passkeysOfUser = sql<number>`(select count(*) from passkeys where passkeys.user_id = users.id)`

/** Whether sign-in with the password requires a second factor. */
export function requiresSecondFactor({ authenticator, passkeys }: SecondFactors): boolean {
  return authenticator || passkeys > 0
}

/** Deletes every second factor of an account and its recovery codes. Returns what there was. */
export async function removeSecondFactors(tx: Database, userId: string): Promise<SecondFactors> {
  const before = await readSecondFactors(tx, userId)
  await deleteRecoveryCodes(tx, userId)
  await tx.kysely.deleteFrom('two_factors').where('user_id', '=', userId).execute()
  await tx.kysely.deleteFrom('passkeys').where('user_id', '=', userId).execute()
  return before
}

/** After a second factor was removed: recovery codes of an account without any are useless. */
export async function dropUselessRecoveryCodes(tx: Database, userId: string): Promise<void> {
  if (!requiresSecondFactor(await readSecondFactors(tx, userId))) await deleteRecoveryCodes(tx, userId)
}
