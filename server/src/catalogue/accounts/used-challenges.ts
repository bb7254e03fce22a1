import { tag, type Database } from '../../db/database.ts'

/** A challenge that the service made, and that an authenticator signed. */
export type Challenge = { id: string; expiresAtMs: number }

/**
 * Used challenges are kept this long after they expire: on a machine whose clock is behind, they
 * have not expired yet.
 */
const keptMs = 3_600_000

export async function isChallengeUsed(db: Database, { id }: Challenge): Promise<boolean> {
  const row = await db.kysely
    .selectFrom('used_challenges')
    .select('id')
    .where('id', '=', id)
    .modifyEnd(tag('catalogue.isChallengeUsed'))
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Uses up a challenge; among simultaneous calls only one returns true. Only the transaction of a
 * success calls it, so a stranger cannot fill the table.
 */
export async function useChallenge(
  tx: Database,
  { id, expiresAtMs }: Challenge,
  nowMs: number,
): Promise<boolean> {
  if (expiresAtMs <= nowMs) return false
  await tx.kysely
    .deleteFrom('used_challenges')
    .where('expires_at_ms', '<=', nowMs - keptMs)
    .modifyEnd(tag('catalogue.deleteExpiredChallenges'))
    .execute()
  const { numInsertedOrUpdatedRows = 0n } = await tx.kysely
    .insertInto('used_challenges')
    .values({ id, expires_at_ms: expiresAtMs })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .modifyEnd(tag('catalogue.useChallenge'))
    .executeTakeFirst()
  return numInsertedOrUpdatedRows > 0n
}
