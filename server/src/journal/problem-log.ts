import { performance } from 'node:perf_hooks'
import { asError } from './journal-io.ts'

const repeatMs = 10_000

/**
 * A log that counts every problem, and reports each kind at most once in 10 s: a full disk fails
 * every second.
 */
export class ProblemLog {
  count = 0
  readonly #onProblem: (error: Error, what: string) => void
  #toldAtMs = new Map<string, number>()

  constructor(onProblem: (error: Error, what: string) => void = () => {}) {
    this.#onProblem = onProblem
  }

  readonly report = (problem: unknown, what: string): void => {
    const error = asError(problem)
    const kind = `${what}: ${error.message}`
    const nowMs = performance.now()
    const toldAtMs = this.#toldAtMs.get(kind)
    this.count++
    if (toldAtMs !== undefined && nowMs - toldAtMs < repeatMs) return
    if (this.#toldAtMs.size > 100) this.#toldAtMs.clear()
    this.#toldAtMs.set(kind, nowMs)
    this.#onProblem(error, what)
  }
}
