/** Why the watchdog ended a child: it no longer reported, or its start made no progress. */
export type EndReason = 'hung' | 'stalled'

type Watched = {
  /** Undefined until the child is ready. Times are in `awakeMs`. */
  readyAtMs: number | undefined
  heardAtMs: number
  ending: EndReason | undefined
  /** How often in a row the watchdog ended the child. */
  inARow: number
}

type Options = {
  /** Called once for each child that has to be ended. */
  onSilent: (process: string, reason: EndReason, silentMs: number) => void
  /** A monotonic clock in milliseconds. */
  clock?: () => number
}

const tickMs = 500
/** A later tick means that `main` was stopped or blocked, or that the machine slept. */
const lateTickMs = 2 * tickMs
/** A ready child reports every second; no work may block its event loop for this long. */
const hungMs = 10_000
/** The start of a child, with its migrations, must make progress within this time. */
const stalledMs = 5 * 60_000
/**
 * Pauses before the next start, by how often in a row a child was ended: a child that soon hangs
 * again has a lasting cause.
 */
const pausesMs = [0, 30_000, 5 * 60_000] as const
/** If a child was ready this long before it hung, the row starts again. */
const steadyMs = 60_000

/**
 * Detects children that hang: a ready child without a report for 10 s, and a starting child without
 * progress for 5 min. Only time in which `main` itself ran counts, so that a suspended machine or a
 * stopped `main` ends no child.
 */
export class Watchdog {
  readonly #onSilent: Options['onSilent']
  readonly #clock: () => number
  readonly #children = new Map<string, Watched>()
  #timer: NodeJS.Timeout | undefined
  #tickedAtMs: number
  /** How long `main` has run, measured by its own ticks. */
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

  /**
   * Records a report of a child. Only `progress` counts for a starting child: its event loop may
   * turn while it waits forever.
   */
  heard(process: string, what: 'alive' | 'progress'): void {
    const child = this.#children.get(process)
    if (child === undefined) return
    if (child.readyAtMs !== undefined || what === 'progress') child.heardAtMs = this.#awakeMs
  }

  /** Returns how long a ready child has not reported; 0 for other children. */
  silentMs(process: string): number {
    const child = this.#children.get(process)
    return child?.readyAtMs === undefined ? 0 : this.#awakeMs - child.heardAtMs
  }

  /** Returns why the watchdog ended the child, if it did, and the pause before the next start. */
  ended(process: string): { reason: EndReason | undefined; pauseMs: number } {
    const child = this.#children.get(process)
    if (child === undefined) return { reason: undefined, pauseMs: 0 }
    const { readyAtMs, ending } = child
    const wasSteady = readyAtMs !== undefined && child.heardAtMs - readyAtMs >= steadyMs
    if (wasSteady) child.inARow = 0
    // A child that is gone cannot report, so it is not watched.
    child.readyAtMs = undefined
    child.heardAtMs = Infinity
    if (ending === undefined) return { reason: undefined, pauseMs: 0 }
    const pauseMs = pausesMs[Math.min(child.inARow, pausesMs.length - 1)] ?? 0
    child.inARow++
    return { reason: ending, pauseMs }
  }

  /** Checks every child; called every half second. */
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
