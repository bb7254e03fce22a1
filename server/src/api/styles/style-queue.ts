import { ApiError } from '../../errors.ts'
import type { RunStyleJob, StyleClient, StyleWorkers } from '../http/style-work.ts'
import { ClientGone } from '../http/client-gone.ts'

/** Bounds of the work on styles. */
export const styleWorkLimits = {
  /** The time on the thread that an organization can use at once. */
  budgetMsMax: 60_000,
  /** The gain per millisecond: half of one thread. */
  gainPerMs: 0.5,
  /** After the budget is used up, work continues once this much is available again. */
  resumeMs: 2_000,
  /** Waiting jobs of one organization. A request has one at a time. */
  waitingMax: 100,
} as const

const retryAfterSeconds = 5

type Job = StyleClient & {
  run: () => Promise<unknown>
  resolve: (result: unknown) => void
  reject: (error: unknown) => void
}

/**
 * Distributes one thread among organizations: each with waiting jobs gets one job in turn, whatever
 * the others have queued. Each organization has a budget of time.
 */
export class StyleQueue implements StyleWorkers {
  readonly #run: RunStyleJob
  readonly #clock: () => number
  /** Waiting jobs by holder. The first holder is next. */
  readonly #waiting = new Map<string, Job[]>()
  readonly #budgets = new Map<string, { leftMs: number; atMs: number }>()
  #isRunning = false

  constructor(run: RunStyleJob, clock: () => number = () => performance.now()) {
    this.#run = run
    this.#clock = clock
  }

  /**
   * Returns the function that runs the jobs of one request. It throws ApiError 429 if the budget of
   * the holder is used up or too many of its jobs wait, and `ClientGone` if the client left before
   * the job began.
   */
  for(client: StyleClient): RunStyleJob {
    return (name, input) => this.#enqueue(client, () => this.#run(name, input)) as never
  }

  #enqueue(client: StyleClient, run: Job['run']): Promise<unknown> {
    const { holder } = client
    const queue = this.#waiting.get(holder) ?? []
    return new Promise((resolve, reject) => {
      if (queue.length >= styleWorkLimits.waitingMax) throw tooManyWaiting()
      queue.push({ ...client, run, resolve, reject })
      this.#waiting.set(holder, queue)
      void this.#drain()
    })
  }

  async #drain(): Promise<void> {
    if (this.#isRunning) return
    this.#isRunning = true
    for (let job = this.#next(); job !== undefined; job = this.#next()) await this.#work(job)
    this.#isRunning = false
  }

  #next(): Job | undefined {
    for (const [holder, queue] of this.#waiting) {
      const job = queue.shift()
      // Its holder moves behind the others.
      this.#waiting.delete(holder)
      if (queue.length > 0) this.#waiting.set(holder, queue)
      return job
    }
    return undefined
  }

  async #work({ holder, signal, run, resolve, reject }: Job): Promise<void> {
    if (signal.aborted) return reject(new ClientGone('the client left'))
    const leftMs = this.#budgetOf(holder)
    if (leftMs <= 0) return reject(overBudget(styleWorkLimits.resumeMs - leftMs))
    const startedMs = this.#clock()
    await run().then(resolve, reject)
    const endedMs = this.#clock()
    this.#budgets.set(holder, { leftMs: leftMs - (endedMs - startedMs), atMs: endedMs })
  }

  #budgetOf(holder: string): number {
    const { budgetMsMax, gainPerMs } = styleWorkLimits
    const nowMs = this.#clock()
    const known = this.#budgets.get(holder)
    const leftMs =
      known === undefined
        ? budgetMsMax
        : Math.min(budgetMsMax, known.leftMs + (nowMs - known.atMs) * gainPerMs)
    // A holder without an entry has a full budget.
    if (this.#budgets.size > 10_000)
      for (const [name, { leftMs: left, atMs }] of this.#budgets)
        if (left + (nowMs - atMs) * gainPerMs >= budgetMsMax) this.#budgets.delete(name)
    return leftMs
  }
}

function overBudget(missingMs: number): ApiError {
  const seconds = Math.ceil(missingMs / styleWorkLimits.gainPerMs / 1000)
  return refused('This organization has used its time for checking styles.', seconds)
}

function tooManyWaiting(): ApiError {
  const count = styleWorkLimits.waitingMax
  return refused(`This organization already has ${count} checks of styles waiting.`, retryAfterSeconds)
}

function refused(reason: string, seconds: number): ApiError {
  return new ApiError(429, 'RATE_LIMITED', `${reason} Try again in ${seconds} s.`, {
    headers: { 'retry-after': String(seconds) },
  })
}
