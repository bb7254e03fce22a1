// The generic cell rate algorithm (ITU-T I.371): `paidUntilMs` is the time at which all attempts so
// far would have been made at the pace. One number is the whole memory of a pace.

export type Pace = {
  /** Attempts in a row that are let through at once. */
  freeAttempts: number
  /** Then one in this time. */
  paceMs: number
}

const clockToleranceMs = 60_000

/** When the pace lets the next attempt through. */
export function freeAtMs({ freeAttempts, paceMs }: Pace, paidUntilMs: number, nowMs: number): number {
  return levelOf({ freeAttempts, paceMs }, paidUntilMs, nowMs) - (freeAttempts - 1) * paceMs
}

/** The time until which the pace is paid after so many more attempts, or fewer. */
export function withPaid(
  pace: Pace,
  paidUntilMs: number,
  { nowMs, attempts = 1 }: { nowMs: number; attempts?: number },
): number {
  return levelOf(pace, paidUntilMs, nowMs) + attempts * pace.paceMs
}

function levelOf({ freeAttempts, paceMs }: Pace, paidUntilMs: number, nowMs: number): number {
  const fullMs = nowMs + freeAttempts * paceMs
  // A clock that was set back far must not prolong the wait.
  return paidUntilMs > fullMs + clockToleranceMs ? nowMs : Math.min(Math.max(paidUntilMs, nowMs), fullMs)
}
