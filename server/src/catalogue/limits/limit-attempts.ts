import { inTransaction, lockName, tag, type Database } from '../../db/database.ts'

/** Failed attempts in a row, and when the next one may be made. */
export type AttemptCount = { attempts: number; atMs: number; freeAtMs: number }

/** Returns the failed attempts of a holder that are still remembered. */
export async function readAttempts(db: Database, holder: string): Promise<AttemptCount | undefined> {
  const row = await db.kysely
    .selectFrom('limit_attempts')
    .select(['attempts', 'at_ms as atMs', 'free_at_ms as freeAtMs'])
    .where('holder', '=', holder)
    .modifyEnd(tag('catalogue.readAttempts'))
    .executeTakeFirst()
  return row
}

/**
 * Replaces the attempts of a holder by what `next` makes of them, unless that is undefined. All
 * machines do this one after the other. Returns the attempts before.
 */
export async function countAttempt(
  db: Database,
  holder: string,
  next: (before: AttemptCount | undefined) => AttemptCount | undefined,
): Promise<AttemptCount | undefined> {
  return inTransaction(db, async (tx) => {
    await lockName(tx, `attempts ${holder}`)
    const before = await readAttempts(tx, holder)
    const after = next(before)
    if (after === undefined) return before
    const values = { attempts: after.attempts, at_ms: after.atMs, free_at_ms: after.freeAtMs }
    await tx.kysely
      .insertInto('limit_attempts')
      .values({ holder, ...values })
      .onConflict((conflict) => conflict.column('holder').doUpdateSet(values))
      .modifyEnd(tag('catalogue.countAttempt'))
      .execute()
    return before
  })
}

/** Forgets the attempts of a holder. */
export async function forgetAttempts(db: Database, holder: string): Promise<void> {
  await db.kysely
    .deleteFrom('limit_attempts')
    .where('holder', '=', holder)
    .modifyEnd(tag('catalogue.forgetAttempts'))
    .execute()
}

/**
 * Replaces the time until which the pace of a holder is paid by what `next` makes of it, unless
 * that is undefined. All machines do this one after the other. Returns the time before, 0 if none.
 */
export async function movePace(
  db: Database,
  holder: string,
  next: (paidUntilMs: number) => number | undefined,
): Promise<number> {
  return inTransaction(db, async (tx) => {
    await lockName(tx, `pace ${holder}`)
    const row = await tx.kysely
      .selectFrom('limit_paces')
      .select('paid_until_ms')
      .where('holder', '=', holder)
      .modifyEnd(tag('catalogue.readPace'))
      .executeTakeFirst()
    const before = row?.paid_until_ms ?? 0
    const after = next(before)
    if (after === undefined) return before
    await tx.kysely
      .insertInto('limit_paces')
      .values({ holder, paid_until_ms: after })
      .onConflict((conflict) => conflict.column('holder').doUpdateSet({ paid_until_ms: after }))
      .modifyEnd(tag('catalogue.movePace'))
      .execute()
    return before
  })
}
