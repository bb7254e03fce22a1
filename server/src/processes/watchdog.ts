import { readFileSync } from 'node:fs'

/** Why the watchdog ended a child: it no longer reported, or its start made no progress. */
export type EndReason = 'hung' | 'stalled'

type Watched = {
  /** Undefined until the child is ready. Times are in `awakeMs`. */
  readyAtMs: number | undefined
  heardAtMs: number
  ending: EndReason | undefined
  /** How often in a row the watchdog ended the child. */
  inARow: number
  /** How long it had been silent, and its use of processors, when its silence was first noticed. */
  noticed?: { silentMs: number; use: ProcessorUse | undefined } | undefined
  /** Whether it was told that the child lacks the processor, in this silence. */
  isToldStarved?: boolean
}

type Options = {
  /** Called once for each child that has to be ended. */
  onSilent: (process: string, reason: EndReason, silentMs: number) => void
  /** Called once for each silence of a child that only lacks the processor. */
  onStarved?: (process: string, silentMs: number) => void
  /** Returns the use of processors by a child; undefined: unknown, so silence alone decides. */
  useOf?: (process: string) => ProcessorUse | undefined
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
/** A silence is noticed after this long: a ready child reports every second. */
const noticedMs = 2_000
/**
 * A silent child that ran for less than this share of its silence, and could have run, lacks the
 * processor. An endless loop runs for more, even beside two others on one processor.
 */
const ownShareMin = 0.3
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
 * stopped `main` ends no child. A child that waits for a processor is not ended, because its
 * successor would not get one either.
 */
export class Watchdog {
  readonly #onSilent: Options['onSilent']
  readonly #onStarved: NonNullable<Options['onStarved']>
  readonly #useOf: NonNullable<Options['useOf']>
  readonly #clock: () => number
  readonly #children = new Map<string, Watched>()
  #timer: NodeJS.Timeout | undefined
  #tickedAtMs: number
  /** How long `main` has run, measured by its own ticks. */
  #awakeMs = 0

  constructor({
    onSilent,
    onStarved = () => undefined,
    useOf = () => undefined,
    clock = () => performance.now(),
  }: Options) {
    this.#onSilent = onSilent
    this.#onStarved = onStarved
    this.#useOf = useOf
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
    this.#hear(child)
  }

  #hear(child: Watched): void {
    child.heardAtMs = this.#awakeMs
    child.noticed = undefined
    child.isToldStarved = false
  }

  /**
   * Records a report of a child. Only `progress` counts for a starting child: its event loop may
   * turn while it waits forever.
   */
  heard(process: string, what: 'alive' | 'progress'): void {
    const child = this.#children.get(process)
    if (child === undefined) return
    if (child.readyAtMs !== undefined || what === 'progress') this.#hear(child)
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
      if (child.ending !== undefined || silentMs < noticedMs) continue
      child.noticed ??= { silentMs, use: this.#useOf(process) }
      if (silentMs < (reason === 'hung' ? hungMs : stalledMs)) continue
      if (this.#isStarved(process, child, silentMs)) continue
      child.ending = reason
      this.#onSilent(process, reason, silentMs)
    }
  }

  /** Whether a silent child could run most of the time and got no processor. */
  #isStarved(process: string, child: Watched, silentMs: number): boolean {
    const { noticed } = child
    const [before, now] = [noticed?.use, this.#useOf(process)]
    if (noticed === undefined || before === undefined || now === undefined) return false
    const spanMs = silentMs - noticed.silentMs
    const couldRun = now.isRunnable || now.waitedMs - before.waitedMs >= spanMs / 2
    if (!couldRun || now.ranMs - before.ranMs >= spanMs * ownShareMin) return false
    if (child.isToldStarved !== true) this.#onStarved(process, silentMs)
    child.isToldStarved = true
    return true
  }
}

/** The use of processors by the main thread of a process, whose event loop makes its reports. */
export type ProcessorUse = {
  /** Time on a processor, since the start of the thread. */
  ranMs: number
  /** Time in which the thread could run and got no processor; it grows once the thread gets one. */
  waitedMs: number
  /** Whether the thread runs or could run. */
  isRunnable: boolean
}

/** Linux counts the times in `stat` in hundredths of a second, on every processor. */
const msPerTick = 10

/**
 * Reads the use of processors by a process, or undefined if it is gone or the system has no /proc.
 * Source: proc_pid_stat(5), and sched-stats.rst of the kernel for the time that a thread waits.
 */
export function readProcessorUse(pid: number): ProcessorUse | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/task/${pid}/stat`, 'latin1')
    // The name of a process is in parentheses and may contain any character.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const ranMs = (Number(fields[11]) + Number(fields[12])) * msPerTick
    if (!Number.isFinite(ranMs)) return undefined
    return { ranMs, waitedMs: readWaitedMs(pid), isRunnable: fields[0] === 'R' }
  } catch {
    return undefined
  }
}

/** Not every kernel counts it. */
function readWaitedMs(pid: number): number {
  try {
    const [, waitedNs] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'latin1').split(' ')
    return Number(waitedNs ?? 0) / 1e6
  } catch {
    return 0
  }
}
