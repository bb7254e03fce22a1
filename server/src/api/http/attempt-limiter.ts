import { ApiError } from '../../errors.ts'

const freeAttempts = 5
const firstWaitMs = 1_000
const waitMsMax = 15 * 60_000
/** After so long without an attempt, counting begins anew. */
const forgottenMs = 60 * 60_000
const countedMax = 100_000

/**
 * Slows down attempts at a secret that people choose or type. The wait doubles with each wrong one after the fifth, to
 * a quarter of an hour. Attempts are counted by account and network, so a stranger elsewhere keeps nobody out, and in the
 * memory of this process: with several `api` processes each counts for itself.
 */
export class AttemptLimiter {
  readonly #counted = new Map<string, { attempts: number; atMs: number; freeAtMs: number }>()

  /** Counts an attempt before it is made. Throws ApiError 429 while the wait after the last one lasts. */
  begin(what: string, nowMs: number): void {
    const before = this.#counted.get(what)
    // A clock that was set back must not make anybody wait for longer.
    const known = before !== undefined && Math.abs(nowMs - before.atMs) < forgottenMs ? before : undefined
    const waitMs = known === undefined ? 0 : known.freeAtMs - nowMs
    if (waitMs > 0) throw tooManyAttempts(Math.ceil(Math.min(waitMs, waitMsMax) / 1000))
    const attempts = (known?.attempts ?? 0) + 1
    const nextMs =
      attempts < freeAttempts ? 0 : Math.min(firstWaitMs * 2 ** (attempts - freeAttempts), waitMsMax)
    this.#counted.delete(what)
    this.#counted.set(what, { attempts, atMs: nowMs, freeAtMs: nowMs + nextMs })
    const [oldest] = this.#counted.keys()
    if (this.#counted.size > countedMax && oldest !== undefined) this.#counted.delete(oldest)
  }

  /** It was right: all attempts before it are forgotten. */
  succeed(what: string): void {
    this.#counted.delete(what)
  }
}

function tooManyAttempts(waitSeconds: number): ApiError {
  const message = `There were too many wrong tries. Try again in ${waitSeconds} s.`
  return new ApiError(429, 'RATE_LIMITED', message, { headers: { 'retry-after': String(waitSeconds) } })
}
