import { sql } from 'kysely'
import { tag, type Database } from '../../db/database.ts'
import { databaseNowMs } from '../../db/dialects/database-clock.ts'

/** A chore, and the machine that does it or wants to. */
export type ChoreTurn = { name: string; machine: string }

/**
 * Gives a machine the chore until its lease ends. Returns false if another machine holds it, or did
 * it less than `leastMs` ago. A machine does one chore of a name at a time: if it holds the lease
 * already, it was started again.
 */
export async function takeTurn(
  db: Database,
  { name, machine }: ChoreTurn,
  { leaseMs, leastMs }: { leaseMs: number; leastMs: number },
): Promise<boolean> {
  const until = sql<number>`${databaseNowMs(db)} + ${sql.lit(leaseMs)}`
  const taken = await db.kysely
    .insertInto('chore_turns')
    .values({ name, machine, lease_until_ms: until, ended_at_ms: null })
    .onConflict((conflict) =>
      conflict
        .column('name')
        .doUpdateSet({ machine, lease_until_ms: until })
        .where(
          sql<boolean>`chore_turns.machine = ${machine}
            or coalesce(chore_turns.lease_until_ms, 0) <= ${databaseNowMs(db)}
            and coalesce(chore_turns.ended_at_ms, 0) <= ${databaseNowMs(db)} - ${sql.lit(leastMs)}`,
        ),
    )
    .returning('name')
    .modifyEnd(tag('catalogue.takeTurn'))
    .executeTakeFirst()
  return taken !== undefined
}

/** Prolongs a lease. Returns false if another machine has taken the chore meanwhile. */
export async function keepTurn(
  db: Database,
  { name, machine }: ChoreTurn,
  { leaseMs }: { leaseMs: number },
): Promise<boolean> {
  const { numUpdatedRows } = await db.kysely
    .updateTable('chore_turns')
    .set({ lease_until_ms: sql<number>`${databaseNowMs(db)} + ${sql.lit(leaseMs)}` })
    .where('name', '=', name)
    .where('machine', '=', machine)
    .modifyEnd(tag('catalogue.keepTurn'))
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Ends a turn. `isDone`: the chore was done, and is due again only later. */
export async function endTurn(
  db: Database,
  { name, machine }: ChoreTurn,
  { isDone }: { isDone: boolean },
): Promise<void> {
  await db.kysely
    .updateTable('chore_turns')
    .set({ lease_until_ms: null, ...(isDone && { ended_at_ms: sql<number>`${databaseNowMs(db)}` }) })
    .where('name', '=', name)
    .where('machine', '=', machine)
    .modifyEnd(tag('catalogue.endTurn'))
    .execute()
}
