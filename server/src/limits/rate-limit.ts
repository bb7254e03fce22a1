/** The count of a key or session in the current minute. */
export type RateLimitState = { allowed: boolean; limit: number; remaining: number; resetSeconds: number }

/** A promise only if the catalogue has to be asked. */
export type RateLimit = (holder: string, nowMs: number) => RateLimitState | Promise<RateLimitState>

export const windowMs = 60_000

/**
 * Counts requests per key or session in fixed minutes, in the memory of this process. Memory is
 * bounded by the keys and sessions used within one minute. `SharedRate` counts those of several
 * processes together.
 */
export function createRateLimit(limit: number): (holder: string, nowMs: number) => RateLimitState {
  let window = 0
  const used = new Map<string, number>()

  return (holder, nowMs) => {
    const current = Math.floor(nowMs / windowMs)
    if (current !== window) {
      window = current
      used.clear()
    }
    const count = (used.get(holder) ?? 0) + 1
    used.set(holder, count)
    return {
      allowed: count <= limit,
      limit,
      remaining: Math.max(0, limit - count),
      resetSeconds: Math.ceil(((current + 1) * windowMs - nowMs) / 1000),
    }
  }
}

/** The headers of draft-ietf-httpapi-ratelimit-headers-03 to -06, which existing clients read. */
export function rateLimitHeaders(state: RateLimitState): Record<string, string> {
  return {
    'ratelimit-limit': String(state.limit),
    'ratelimit-remaining': String(state.remaining),
    'ratelimit-reset': String(state.resetSeconds),
  }
}
