import { problem, type Problem } from '@everscan/contract/problems/problem.ts'
import { ApiError } from '../../errors.ts'
import { NoTurn, Turns } from '../../turns/turns.ts'
import type { RunStyleJob, StyleClient, StyleJobName, StyleJobs, StyleWorkers } from './style-work.ts'
import { ClientGone } from '../../turns/client-gone.ts'

/** Bounds of the work on styles. */
export const styleWorkLimits = {
  /** The processor time that an organization can use at once. */
  budgetMsMax: 60_000,
  /** The gain per millisecond: half of one processor. */
  gainPerMs: 0.5,
  /** After the budget is used up, work continues once this much is available again. */
  resumeMs: 2_000,
  /** Waiting jobs of one organization. A request has one at a time. */
  waitingMax: 100,
  /** Of all: more would wait longer than their clients do. */
  allWaitingMax: 1_000,
} as const

const retryAfterSeconds = 5

/** Runs a job, and tells the processor time that it took before it ends. */
export type RunTimedStyleJob = <Name extends StyleJobName>(
  name: Name,
  input: Parameters<StyleJobs[Name]>[0],
  spend: (processorMs: number) => void,
) => ReturnType<StyleJobs[Name]>

/**
 * Distributes one thread among organizations, in turn. Each organization has a budget of processor
 * time: what it takes longer on a busy machine is the machine's.
 */
export class StyleQueue implements StyleWorkers {
  readonly turns: Turns
  readonly #run: RunTimedStyleJob
  readonly #clock: () => number
  readonly #budgets = new Map<string, { leftMs: number; atMs: number }>()

  constructor(run: RunTimedStyleJob, clock: () => number = () => performance.now()) {
    this.#run = run
    this.#clock = clock
    const { waitingMax: holderWaitingMax, allWaitingMax: waitingMax } = styleWorkLimits
    this.turns = new Turns('styles', { atOnceMax: 1, holderWaitingMax, waitingMax })
  }

  /**
   * Returns the function that runs the jobs of one request. It throws ApiError 429 if the budget of
   * the holder is used up or too many of its jobs wait, and `ClientGone` if the client left before
   * the job began.
   */
  for({ holder, signal }: StyleClient): RunStyleJob {
    const work: RunStyleJob = (name, input) => {
      this.#requireBudget(holder)
      return this.#run(name, input, (ms) => this.#spend(holder, ms))
    }
    return ((name: StyleJobName, input: never) =>
      this.turns
        .run([holder], async (): Promise<unknown> => work(name, input), signal)
        .catch((error: unknown) => {
          throw error instanceof NoTurn ? refusalOf(error) : error
        })) as RunStyleJob
  }

  #requireBudget(holder: string): void {
    const leftMs = this.#budgetOf(holder)
    if (leftMs <= 0) throw overBudget(styleWorkLimits.resumeMs - leftMs)
  }

  #spend(holder: string, processorMs: number): void {
    this.#budgets.set(holder, { leftMs: this.#budgetOf(holder) - processorMs, atMs: this.#clock() })
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
  return refused(problem('styleTimeUsed', { seconds }), seconds)
}

function refusalOf({ reason, waiting }: NoTurn): Error {
  if (reason === 'left') return new ClientGone('the client left')
  const seconds = retryAfterSeconds
  return refused(problem('styleChecksWait', { count: waiting, seconds }), seconds)
}

function refused(found: Problem, seconds: number): ApiError {
  return new ApiError(429, 'RATE_LIMITED', found, { headers: { 'retry-after': String(seconds) } })
}
