import type { SharedView } from '@everscan/contract/views/views.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import { ApiError } from '../../errors.ts'
import type { SharedFigures } from '../http/api-context.ts'

/** Public links must leave the scan store to members. */
const atOnceMax = 2
/** Requests beyond this queue would wait longer than their clients do. */
const waitingMax = 100
const entriesMax = 500
const ageMsMax = limits.sharedViewCacheSeconds * 1000

type Entry = { atMs: number; figures: Promise<SharedView | undefined> }

/**
 * Keeps the figures of shared views for a minute, so that a public link cannot load the scan store,
 * however often it is opened. In the memory of this process.
 */
export class FigureCache implements SharedFigures {
  readonly #entries = new Map<string, Entry>()
  readonly #waiting: (() => void)[] = []
  #running = 0

  async read(
    key: string,
    { nowMs, compute }: { nowMs: number; compute: () => Promise<SharedView | undefined> },
  ): Promise<SharedView | undefined> {
    const known = this.#entries.get(key)
    if (known !== undefined && Math.abs(nowMs - known.atMs) < ageMsMax) return known.figures
    const entry = { atMs: nowMs, figures: this.#inTurn(compute) }
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

  async #inTurn<Result>(compute: () => Promise<Result>): Promise<Result> {
    if (this.#waiting.length >= waitingMax)
      throw new ApiError(503, 'UNAVAILABLE', 'Too many shared views are open right now. Try again soon.', {
        headers: { 'retry-after': '5' },
      })
    if (this.#running >= atOnceMax) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    else this.#running++
    try {
      return await compute()
    } finally {
      // The slot passes directly to the next in line.
      const next = this.#waiting.shift()
      if (next === undefined) this.#running--
      else next()
    }
  }
}
