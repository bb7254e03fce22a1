import { endTurn, keepTurn, takeTurn, type ChoreTurn } from '../catalogue/installation/chore-turns.ts'
import type { Database } from '../db/database.ts'

/** A dead machine's chore is free after this time. */
const leaseMsDefault = 60_000

export type TurnOptions = ChoreTurn & {
  /** How often each machine tries. */
  everyMs: number
  leaseMs?: number
}

/**
 * Does a chore of the installation unless another machine does it now, or did it within half of
 * `everyMs`. The lease lasts as long as the chore and this process do. Rejects as `run` does; the
 * next machine then may try at once.
 */
export async function inTurn(
  db: Database,
  { everyMs, leaseMs = leaseMsDefault, ...turn }: TurnOptions,
  run: () => Promise<unknown>,
): Promise<void> {
  const taken = await takeTurn(db, turn, { leaseMs, leastMs: Math.floor(everyMs / 2) })
  if (taken === undefined) return
  // A lease that cannot be prolonged while the catalogue is away runs out: chores can be repeated.
  const keeping = setInterval(() => {
    keepTurn(db, taken, { leaseMs }).catch(() => undefined)
  }, leaseMs / 3).unref()
  let isDone = false
  try {
    await run()
    isDone = true
  } finally {
    clearInterval(keeping)
    await endTurn(db, taken, { isDone }).catch(() => undefined)
  }
}
