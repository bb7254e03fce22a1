import { AccountBrake, type Brake } from './account-brake.ts'
import { AttemptLimiter, type Attempts } from './attempt-limiter.ts'
import { FairShare, type FairShareOptions, type Places } from './fair-share.ts'
import { createRateLimit, type RateLimit } from './rate-limit.ts'

/**
 * Makes limits. A kind is the name under which several processes count the same: each limit has
 * another one.
 */
export type Limiters = {
  /** A limit per minute. */
  rate: (kind: string, limit: number) => RateLimit
  attempts: (kind: string) => Attempts
  brake: (kind: string) => Brake
  places: (options: FairShareOptions) => Places
  /** How many processes count together. */
  members: () => number
}

/** Limits of this process alone. */
export const ownLimiters: Limiters = {
  rate: (_kind, limit) => createRateLimit(limit),
  attempts: () => new AttemptLimiter(),
  brake: () => new AccountBrake(),
  places: (options) => new FairShare(options),
  members: () => 1,
}
