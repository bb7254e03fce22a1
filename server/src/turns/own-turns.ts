import type { Problem } from '@everscan/contract/problems/problem.ts'
import { ApiError } from '../errors.ts'
import { NoTurn, Turns } from './turns.ts'

/** The turns of this process for work that starts in many places. */
export const ownTurns = {
  /**
   * Slow hashes, by organization or '' for people who sign in. Each takes 19 MiB and one thread of
   * Node's pool for about 30 ms: more would starve other work.
   */
  passwords: new Turns('passwords', { atOnceMax: 4, waitingMax: 200 }),
  /** Chunks of files that are read again, by organization: each takes the event loop. */
  surveys: new Turns('surveys', { atOnceMax: 2, waitingMax: 1_000 }),
  /** Figures of shared views, by organization: public links leave the scan store to members. */
  sharedViews: new Turns('shared_views', { atOnceMax: 2, waitingMax: 100 }),
  /** Mails on their way, by organization or '': more would only wait for the mail server. */
  mails: new Turns('mails', { atOnceMax: 20, waitingMax: 1_000, waitMsMax: 15_000 }),
} as const

const retryAfterSeconds = 5

/** Does work in its turn. Throws ApiError 503 with the problem `refused` if there is none. */
export async function inTurn<Result>(
  turns: Turns,
  holder: string,
  { work, refused }: { work: () => Promise<Result>; refused: Problem },
): Promise<Result> {
  try {
    return await turns.run([holder], work)
  } catch (error) {
    if (!(error instanceof NoTurn)) throw error
    throw new ApiError(503, 'UNAVAILABLE', refused, { headers: { 'retry-after': String(retryAfterSeconds) } })
  }
}
