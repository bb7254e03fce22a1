/** Kinds of work of the engine, in the order in which it is begun. */
const lanes = ['figures', 'exports', 'writes'] as const
export type Lane = (typeof lanes)[number]

/** Node gives queries four threads: more would wait for one there, in the order they came. */
const placesMax = 4
/** Pieces of exports, archives and replays take seconds: two places are left for figures. */
const placesOfLane: Readonly<Record<Lane, number>> = { figures: placesMax, exports: 2, writes: 1 }
const patienceMsDefault = 10_000

type Waiting = { lane: Lane; sinceMs: number; begin: () => void }

/**
 * The places of an engine. At most 4 have one at a time; of these, 2 in `exports` and 1 in
 * `writes`. Figures go before exports, and these before writes, each in the order in which they
 * came. Who has waited for 10 seconds goes before all others: writes keep the number of files
 * small, on which figures depend.
 */
export class EngineLanes {
  readonly #running: Record<Lane, number> = { figures: 0, exports: 0, writes: 0 }
  readonly #waiting: Waiting[] = []
  readonly #patienceMs: number

  constructor({ patienceMs = patienceMsDefault }: { patienceMs?: number } = {}) {
    this.#patienceMs = patienceMs
  }

  /** Does some work in its turn. Throws the reason of the signal, at once if it still waits. */
  async run<Result>(
    lane: Lane,
    work: () => Promise<Result>,
    signal: AbortSignal = new AbortController().signal,
  ): Promise<Result> {
    signal.throwIfAborted()
    await this.#place(lane, signal)
    try {
      return await work()
    } finally {
      this.#running[lane]--
      this.#beginNext()
    }
  }

  #place(lane: Lane, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1)
        reject(signal.reason as Error)
      }
      const begin = (): void => {
        signal.removeEventListener('abort', leave)
        resolve()
      }
      const waiting = { lane, sinceMs: performance.now(), begin }
      signal.addEventListener('abort', leave)
      this.#waiting.push(waiting)
      this.#beginNext()
    })
  }

  #beginNext(): void {
    for (let next = this.#next(); next !== undefined; next = this.#next()) {
      this.#waiting.splice(this.#waiting.indexOf(next), 1)
      this.#running[next.lane]++
      next.begin()
    }
  }

  #next(): Waiting | undefined {
    const running = lanes.reduce((sum, lane) => sum + this.#running[lane], 0)
    if (running >= placesMax) return undefined
    const able = this.#waiting.filter(({ lane }) => this.#running[lane] < placesOfLane[lane])
    const lateMs = performance.now() - this.#patienceMs
    return (
      able.find(({ sinceMs }) => sinceMs <= lateMs) ??
      lanes.flatMap((lane) => able.filter((waiting) => waiting.lane === lane))[0]
    )
  }
}
