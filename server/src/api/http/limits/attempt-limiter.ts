import { ApiError } from '../../../errors.ts'

const freeAttempts = 5
const firstWaitMs = 1_000
const waitMsMax = 15 * 60_000
/** A pause of this length resets the count. */
const forgottenMs = 60 * 60_000
const countedMax = 100_000

/**
 * Slows down attempts to guess a secret that people choose or type. The wait doubles with each
 * failed attempt after the fifth, up to a quarter of an hour. The counts are in the memory of this
 * process: each of several `api` processes counts for itself. They are by account and network, so a
 * client elsewhere cannot lock a user out; `AccountBrake` slows down attempts from many networks.
 */
export class AttemptLimiter {
  readonly #counted = new Map<string, { attempts: number; atMs: number; freeAtMs: number }>()

  /** Throws ApiError 429 while earlier failures impose a wait. */
  check(what: string, nowMs: number): void {
    const waitMs = (this.#known(what, nowMs)?.freeAtMs ?? nowMs) - nowMs
    if (waitMs > 0) throw tooManyAttempts(Math.ceil(Math.min(waitMs, waitMsMax) / 1000))
  }

  /** Counts an attempt in advance. Throws ApiError 429 as `check` does. */
  begin(what: string, nowMs: number): void {
    this.check(what, nowMs)
    const known = this.#known(what, nowMs)
    const attempts = (known?.attempts ?? 0) + 1
    const nextMs =
      attempts < freeAttempts ? 0 : Math.min(firstWaitMs * 2 ** (attempts - freeAttempts), waitMsMax)
    this.#counted.delete(what)
    this.#counted.set(what, { attempts, atMs: nowMs, freeAtMs: nowMs + nextMs })
    const [oldest] = this.#counted.keys()
    if (this.#counted.size > countedMax && oldest !== undefined) this.#counted.delete(oldest)
  }

  /** The attempt succeeded: forgets all attempts before it. */
  succeed(what: string): void {
    this.#counted.delete(what)
  }

  /** A clock that was set back must not prolong the wait. */
  #known(what: string, nowMs: number) {
    const before = this.#counted.get(what)
    return before !== undefined && Math.abs(nowMs - before.atMs) < forgottenMs ? before : undefined
  }
}

/** The answer to an attempt that has to wait: it says nothing about the account. */
export function tooManyAttempts(waitSeconds: number): ApiError {
  const message = `Too many failed attempts. Try again in ${waitSeconds} s.`
  return new ApiError(429, 'RATE_LIMITED', message, { headers: { 'retry-after': String(waitSeconds) } })
}
