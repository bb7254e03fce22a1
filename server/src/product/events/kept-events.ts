import { limits } from '@everscan/contract/schema/limits.ts'
import type { Database } from '../../db/database.ts'
import { keepEvents } from '../../db/feeds/event-pages.ts'

/** Events can be read for this long after they happened. */
export const keptMs = limits.eventHours * 3_600_000
/**
 * Interval at which an organization with readers is recorded, well within the time for which the
 * record holds.
 */
const keepEveryMs = 10 * 60_000
const rememberedMax = 10_000

/**
 * Organizations with readers. The catalogue keeps events of these only, and for some time after the
 * last reader.
 */
export class KeptEvents {
  readonly #db: Database
  readonly #clock: () => number
  readonly #untilMs = new Map<string, number>()

  constructor(db: Database, clock: () => number) {
    this.#db = db
    this.#clock = clock
  }

  /** Keeps the events of some organizations from now on. Mostly there is nothing to write. */
  async keep(organizationIds: Iterable<string>): Promise<void> {
    const nowMs = this.#clock()
    const due = [...organizationIds].filter(
      (id) => (this.#untilMs.get(id) ?? 0) - keptMs + keepEveryMs <= nowMs,
    )
    if (due.length === 0) return
    await keepEvents(this.#db, due, nowMs + keptMs)
    if (this.#untilMs.size > rememberedMax) this.#untilMs.clear()
    for (const id of due) this.#untilMs.set(id, nowMs + keptMs)
  }
}
