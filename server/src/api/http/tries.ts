import { ApiError } from '../../errors.ts'

/** Tries of a secret that people choose or type, counted by what is tried and from where. */
export type Tries = {
  /** Counts a try before it is made. Throws ApiError 429 while who tried before must wait. */
  begin: (what: string, nowMs: number) => void
  /** It was right: all tries before it are forgotten. */
  succeed: (what: string) => void
}

const freeTries = 5
const firstWaitMs = 1_000
const waitMsMax = 15 * 60_000
/** Who stayed away for this long begins anew. */
const forgottenMs = 60 * 60_000
const countedMax = 100_000

/**
 * The wait doubles with each wrong try after the fifth, to a quarter of an hour. In the memory of this process: with several `api`
 * processes each counts for itself. Counted by account and network: a stranger elsewhere keeps nobody out.
 */
export function createTries(): Tries {
  const counted = new Map<string, { tries: number; atMs: number; freeAtMs: number }>()
  return {
    begin: (what, nowMs) => {
      const before = counted.get(what)
      // A clock that was set back must not make anybody wait for longer.
      const known = before !== undefined && Math.abs(nowMs - before.atMs) < forgottenMs ? before : undefined
      const waitMs = known === undefined ? 0 : known.freeAtMs - nowMs
      if (waitMs > 0) throw tooManyTries(Math.ceil(Math.min(waitMs, waitMsMax) / 1000))
      const tries = (known?.tries ?? 0) + 1
      const nextMs = tries < freeTries ? 0 : Math.min(firstWaitMs * 2 ** (tries - freeTries), waitMsMax)
      counted.delete(what)
      counted.set(what, { tries, atMs: nowMs, freeAtMs: nowMs + nextMs })
      const [oldest] = counted.keys()
      if (counted.size > countedMax && oldest !== undefined) counted.delete(oldest)
    },
    succeed: (what) => void counted.delete(what),
  }
}

function tooManyTries(waitSeconds: number): ApiError {
  const message = `There were too many wrong tries. Try again in ${waitSeconds} s.`
  return new ApiError(429, 'RATE_LIMITED', message, { headers: { 'retry-after': String(waitSeconds) } })
}
