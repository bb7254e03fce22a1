import { problem } from '@everscan/contract/problems/problem.ts'
import { ApiError } from '../errors.ts'
import type { AttemptCount } from '../catalogue/limits/limit-attempts.ts'

const freeAttempts = 5
const firstWaitMs = 1_000
const waitMsMax = 15 * 60_000
/** A pause of this length resets the count. */
const forgottenMs = 60 * 60_000
const countedMax = 100_000

/** Failed attempts: of this process, or of all that share a catalogue. */
export type Attempts = {
  /** Throws ApiError 429 while earlier failures impose a wait. */
  check: (what: string, nowMs: number) => void | Promise<void>
  /** Counts an attempt in advance. Throws ApiError 429 as `check` does. */
  begin: (what: string, nowMs: number) => void | Promise<void>
  /** The attempt succeeded: forgets all attempts before it. */
  succeed: (what: string) => void | Promise<void>
}

/** Milliseconds that the next attempt has to wait. */
export function attemptWaitMs(known: AttemptCount | undefined, nowMs: number): number {
  return Math.min(Math.max((remembered(known, nowMs)?.freeAtMs ?? nowMs) - nowMs, 0), waitMsMax)
}

/** The attempts with one more, which was made now. */
export function withAttempt(known: AttemptCount | undefined, nowMs: number): AttemptCount {
  const attempts = (remembered(known, nowMs)?.attempts ?? 0) + 1
  const nextMs =
    attempts < freeAttempts ? 0 : Math.min(firstWaitMs * 2 ** (attempts - freeAttempts), waitMsMax)
  // Without a wait, the clock of another machine makes none either.
  return { attempts, atMs: nowMs, freeAtMs: nextMs === 0 ? 0 : nowMs + nextMs }
}

/** A clock that was set back must not prolong the wait. */
function remembered(known: AttemptCount | undefined, nowMs: number): AttemptCount | undefined {
  return known !== undefined && Math.abs(nowMs - known.atMs) < forgottenMs ? known : undefined
}

/**
 * Slows down attempts to guess a secret that people choose or type. The wait doubles with each
 * failed attempt after the fifth, up to a quarter of an hour. The counts are in the memory of this
 * process; `SharedAttempts` counts those of several processes together. They are by account and
 * network, so a client elsewhere cannot lock a user out; `AccountBrake` slows down attempts from
 * many networks.
 */
export class AttemptLimiter implements Attempts {
  readonly #counted = new Map<string, AttemptCount>()

  check(what: string, nowMs: number): void {
    const waitMs = attemptWaitMs(this.#counted.get(what), nowMs)
    if (waitMs > 0) throw tooManyAttempts(Math.ceil(waitMs / 1000))
  }

  begin(what: string, nowMs: number): void {
    this.check(what, nowMs)
    const counted = withAttempt(this.#counted.get(what), nowMs)
    this.#counted.delete(what)
    this.#counted.set(what, counted)
    const [oldest] = this.#counted.keys()
    if (this.#counted.size > countedMax && oldest !== undefined) this.#counted.delete(oldest)
  }

  succeed(what: string): void {
    this.#counted.delete(what)
  }
}

/** The answer to an attempt that has to wait: it says nothing about the account. */
export function tooManyAttempts(waitSeconds: number): ApiError {
  const found = problem('tooManyFailedAttempts', { seconds: waitSeconds })
  return new ApiError(429, 'RATE_LIMITED', found, { headers: { 'retry-after': String(waitSeconds) } })
}
