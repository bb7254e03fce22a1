/** How a child ended that `main` ended itself: it no longer reported, or its start got no further. */
export type EndReason = 'hung' | 'stalled'

type Watched = {
  /** Undefined until it does its work; times are those of `awakeMs`. */
  readyAtMs: number | undefined
  heardAtMs: number
  ending: EndReason | undefined
  /** How often in a row it had to be ended. */
  inARow: number
}

type Options = {
  /** Told once of each child that is to be ended. */
  onSilent: (process: string, reason: EndReason, silentMs: number) => void
  /** Milliseconds that never step back. */
  clock?: () => number
}

const tickMs = 500
/** A tick that comes later than this was held up: `main` was stopped, blocked, or the machine slept. */
const lateTickMs = 2 * tickMs
/** A ready child reports every second; nothing that it does may keep its event loop for this long. */
const hungMs = 10_000
/** The start of a child, with its migrations, gets a step further within this time. */
const stalledMs = 5 * 60_000
/** Pauses before the next start, by how often in a row a child was ended: what hangs at once again has a cause that lasts. */
const pausesMs = [0, 30_000, 5 * 60_000] as const
/** A child that was ready for this long before it hung starts that row anew. */
const steadyMs = 60_000

/**
 * Notices children that hang: a ready one that has not reported for 10 s, and one whose start made no progress for 5 min. Only time in which
 * `main` itself ran counts, so that a machine that was suspended, or a `main` that was stopped, ends nothing.
 */
export class Watchdog {
  readonly #onSilent: Options['onSilent']
  readonly #clock: () => number
  readonly #children = new Map<string, Watched>()
  #timer: NodeJS.Timeout | undefined
  #tickedAtMs: number
  /** How long `main` has run, as far as it could tell by its own ticks. */
  #awakeMs = 0

  constructor({ onSilent, clock = () => performance.now() }: Options) {
    this.#onSilent = onSilent
    this.#clock = clock
    this.#tickedAtMs = clock()
  }

  start(): void {
    this.#tickedAtMs = this.#clock()
    this.#timer ??= setInterval(() => this.tick(), tickMs).unref()
  }

  stop(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  began(process: string): void {
    const inARow = this.#children.get(process)?.inARow ?? 0
    this.#children.set(process, {
      readyAtMs: undefined,
      heardAtMs: this.#awakeMs,
      ending: undefined,
      inARow,
    })
  }

  ready(process: string): void {
    const child = this.#children.get(process)
    if (child === undefined) return
    child.readyAtMs = this.#awakeMs
    child.heardAtMs = this.#awakeMs
  }

  /** A report of a child. One that is still starting shows only by `progress` that it gets on: its event loop may turn while it waits for ever. */
  heard(process: string, what: 'alive' | 'progress'): void {
    const child = this.#children.get(process)
    if (child === undefined) return
    if (child.readyAtMs !== undefined || what === 'progress') child.heardAtMs = this.#awakeMs
  }

  /** For how long a ready child has not reported; 0 for others. */
  silentMs(process: string): number {
    const child = this.#children.get(process)
    return child?.readyAtMs === undefined ? 0 : this.#awakeMs - child.heardAtMs
  }

  /** Why the watchdog ended it, if it did, and how long to wait before the next start. */
  ended(process: string): { reason: EndReason | undefined; pauseMs: number } {
    const child = this.#children.get(process)
    if (child === undefined) return { reason: undefined, pauseMs: 0 }
    const { readyAtMs, ending } = child
    const wasSteady = readyAtMs !== undefined && child.heardAtMs - readyAtMs >= steadyMs
    if (wasSteady) child.inARow = 0
    // A child that is gone reports nothing, and is not waited for.
    child.readyAtMs = undefined
    child.heardAtMs = Infinity
    if (ending === undefined) return { reason: undefined, pauseMs: 0 }
    const pauseMs = pausesMs[Math.min(child.inARow, pausesMs.length - 1)] ?? 0
    child.inARow++
    return { reason: ending, pauseMs }
  }

  /** Looks at every child; called every half second. */
  tick(): void {
    const nowMs = this.#clock()
    this.#awakeMs += Math.min(nowMs - this.#tickedAtMs, lateTickMs)
    this.#tickedAtMs = nowMs
    for (const [process, child] of this.#children) {
      const silentMs = this.#awakeMs - child.heardAtMs
      const reason = child.readyAtMs === undefined ? 'stalled' : 'hung'
      if (child.ending !== undefined || silentMs < (reason === 'hung' ? hungMs : stalledMs)) continue
      child.ending = reason
      this.#onSilent(process, reason, silentMs)
    }
  }
}
