import { problem } from '@everscan/contract/problems/problem.ts'
import type { SharedView } from '@everscan/contract/views/views.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import { inTurn, ownTurns } from '../../turns/own-turns.ts'

const entriesMax = 500
const ageMsMax = limits.sharedViewCacheSeconds * 1000

export type SharedFigures = {
  /**
   * Returns recent figures, or computes them in the turn of their organization. Requests for the
   * same figures share one computation.
   */
  read: (
    key: string,
    options: { nowMs: number; holder: string; compute: () => Promise<SharedView | undefined> },
  ) => Promise<SharedView | undefined>
}

type Entry = { atMs: number; figures: Promise<SharedView | undefined> }

/**
 * Keeps the figures of shared views for a minute, so that a public link cannot load the scan store,
 * however often it is opened. In the memory of this process.
 */
export class FigureCache implements SharedFigures {
  readonly #entries = new Map<string, Entry>()

  async read(
    key: string,
    { nowMs, holder, compute: work }: Parameters<SharedFigures['read']>[1],
  ): Promise<SharedView | undefined> {
    const known = this.#entries.get(key)
    if (known !== undefined && Math.abs(nowMs - known.atMs) < ageMsMax) return known.figures
    const refused = problem('tooManySharedViews')
    const entry = { atMs: nowMs, figures: inTurn(ownTurns.sharedViews, holder, { work, refused }) }
    this.#entries.delete(key)
    this.#entries.set(key, entry)
    const [oldest] = this.#entries.keys()
    if (this.#entries.size > entriesMax && oldest !== undefined) this.#entries.delete(oldest)
    // A failure is not kept: the next request tries again.
    entry.figures.catch(() => {
      if (this.#entries.get(key) === entry) this.#entries.delete(key)
    })
    return entry.figures
  }
}
