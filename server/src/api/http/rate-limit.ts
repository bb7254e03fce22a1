/** How a key or session stands in the running minute. */
export type RateLimitState = { allowed: boolean; limit: number; remaining: number; resetSeconds: number }

export type RateLimit = (who: string, nowMs: number) => RateLimitState

const windowMs = 60_000

/**
 * Counts requests per key or session in fixed minutes, in the memory of this process: with several `api` processes each of them
 * counts for itself. Memory is bounded by those that were used within a minute.
 */
export function createRateLimit(limit: number): RateLimit {
  let window = 0
  const used = new Map<string, number>()

  return (who, nowMs) => {
    const current = Math.floor(nowMs / windowMs)
    if (current !== window) {
      window = current
      used.clear()
    }
    const count = (used.get(who) ?? 0) + 1
    used.set(who, count)
    return {
      allowed: count <= limit,
      limit,
      remaining: Math.max(0, limit - count),
      resetSeconds: Math.ceil(((current + 1) * windowMs - nowMs) / 1000),
    }
  }
}

/** The header fields of draft-ietf-httpapi-ratelimit-headers-03 to -06, which is what clients in use read. */
export function rateLimitHeaders(state: RateLimitState): Record<string, string> {
  return {
    'ratelimit-limit': String(state.limit),
    'ratelimit-remaining': String(state.remaining),
    'ratelimit-reset': String(state.resetSeconds),
  }
}
