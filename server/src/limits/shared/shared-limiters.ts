import type { Limiters } from '../limiters.ts'
import type { LimitSharing } from './limit-sharing.ts'
import { SharedAttempts } from './shared-attempts.ts'
import { SharedBrake } from './shared-brake.ts'
import { SharedPlaces } from './shared-places.ts'
import { SharedRate } from './shared-rate.ts'

/** Limits that all processes with the same catalogue count together. */
export function sharedLimiters(sharing: LimitSharing): Limiters {
  return {
    rate: (kind, limit) => {
      const rate = new SharedRate(sharing, { kind, limit })
      return (holder, nowMs) => rate.count(holder, nowMs)
    },
    attempts: (kind) => new SharedAttempts(sharing, kind),
    brake: (kind) => new SharedBrake(sharing, kind),
    places: (options) => new SharedPlaces(sharing, options),
    members: () => Math.max(1, sharing.members()),
  }
}
