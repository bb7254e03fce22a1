import { sql } from 'kysely'
import { tag, type Database } from '../../db/database.ts'
import { databaseNowMs } from '../../db/dialects/database-clock.ts'
import { claimDue, ended, leases, renewed, updateIfHeld } from '../../db/lease.ts'

/** A chore, and the machine that does it or wants to. */
export type ChoreTurn = { name: string; machine: string }

/** A chore that a machine does until its lease ends. */
export type TakenTurn = { name: string; leaseNumber: number }

/**
 * Gives a machine the chore until its lease ends. Returns undefined if another machine holds it, or
 * did it less than `leastMs` ago. A machine does one chore of a name at a time: if it holds the
 * lease already, it was started again.
 */
export async function takeTurn(
  db: Database,
  { name, machine }: ChoreTurn,
  { leaseMs, leastMs }: { leaseMs: number; leastMs: number },
): Promise<TakenTurn | undefined> {
  await addChore(db, { name, machine })
  const nowMs = databaseNowMs(db)
  const isOwn = sql<boolean>`machine = ${machine}`
  const find = ({ kysely }: Database) =>
    kysely
      .selectFrom('chore_turns')
      .select('name')
      .where('name', '=', name)
      .where(sql<boolean>`(${isOwn} or coalesce(ended_at_ms, 0) <= ${nowMs} - ${sql.lit(leastMs)})`)
      .modifyEnd(tag('catalogue.findTurn'))
  const options = { find, set: () => ({ machine }), orWhen: isOwn, nowMs, leaseMs }
  const [taken] = await claimDue(db, leases.choreTurn, options)
  return taken
}

/** Adds a chore that was never done. Looks first: nearly always it is known, and a write waits. */
async function addChore(db: Database, { name, machine }: ChoreTurn): Promise<void> {
  const known = db.kysely.selectFrom('chore_turns').select('name').where('name', '=', name)
  if ((await known.modifyEnd(tag('catalogue.findChore')).executeTakeFirst()) !== undefined) return
  await db.kysely
    .insertInto('chore_turns')
    .values({ name, machine, lease_until_ms: null, ended_at_ms: null })
    .onConflict((conflict) => conflict.doNothing())
    .modifyEnd(tag('catalogue.addChore'))
    .execute()
}

/** Prolongs a lease. Returns false if another machine has taken the chore meanwhile. */
export async function keepTurn(
  db: Database,
  turn: TakenTurn,
  { leaseMs }: { leaseMs: number },
): Promise<boolean> {
  const terms = { nowMs: databaseNowMs(db), leaseMs }
  return updateIfHeld(db, leases.choreTurn, turn, renewed(leases.choreTurn, terms))
}

/** Ends a turn. `isDone`: the chore was done, and is due again only later. */
export async function endTurn(db: Database, turn: TakenTurn, { isDone }: { isDone: boolean }): Promise<void> {
  const done = { ended_at_ms: databaseNowMs(db) }
  await updateIfHeld(db, leases.choreTurn, turn, { ...ended(leases.choreTurn), ...(isDone && done) })
}
