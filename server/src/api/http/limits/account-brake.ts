import { createHmac, randomBytes } from 'node:crypto'
import { NetworkTurns } from './network-turns.ts'

/** Attempts in a row that the brake lets through, and the pace at which it lets through more. */
const freeAttempts = 50
const paceMs = 5_000
const clockToleranceMs = 60_000
/**
 * Accounts whose hashes agree share a place, so that memory is constant and no flood of other
 * addresses makes the process forget an account.
 */
const slots = 65_536

/** An attempt that was let through. */
export type BrakedAttempt = {
  /** The attempt succeeded, so it counts for nothing. */
  succeed: () => void | Promise<void>
}

/** Slows down attempts on one account: of this process, or of all that share a catalogue. */
export type Brake = {
  /** Counts an attempt in advance. Throws ApiError 429, with a wait of at most a minute. */
  begin: (account: string, network: string, nowMs: number) => BrakedAttempt | Promise<BrakedAttempt>
}

/**
 * Slows down attempts on one account from everywhere, which no limit by network can see. After 50
 * attempts in a row, one in five seconds is let through. A network that is refused gets a turn
 * after ten seconds, three times a day, so the owner at a new place gets through during an attack.
 * At most 10,000 turns a day are given for one account. Everything is in the memory of this
 * process; `SharedBrake` has one pace for several processes. Accounts that do not exist count in
 * the same way, so a refusal tells nothing.
 */
export class AccountBrake implements Brake {
  /** Nobody outside can choose addresses that share a slot with another. */
  readonly #key = randomBytes(32)
  readonly #paidUntilMs = new Float64Array(slots)
  readonly #turns = new NetworkTurns()

  begin(account: string, network: string, nowMs: number): BrakedAttempt {
    const slot = slotOf(this.#key, account)
    const turn = { slot, network, nowMs }
    const paidMs = freeAtMs(this.#paidUntilMs[slot] ?? 0, nowMs) <= nowMs ? paceMs : 0
    if (paidMs === 0) this.#turns.use(turn)
    else this.#paidUntilMs[slot] = withPaid(this.#paidUntilMs[slot] ?? 0, { nowMs, paidMs })
    return {
      succeed: () => {
        this.#paidUntilMs[slot] = withPaid(this.#paidUntilMs[slot] ?? 0, { nowMs, paidMs: -paidMs })
        this.#turns.renew(turn)
      },
    }
  }
}

/** Returns the slot of an account. */
export function slotOf(key: Buffer | string, account: string): number {
  return createHmac('sha256', key).update(account).digest().readUInt16BE(0)
}

// The generic cell rate algorithm (ITU-T I.371): `paidUntilMs` is the time at which all attempts so
// far would have been made at the pace.

/** When the pace lets the next attempt through. */
export function freeAtMs(paidUntilMs: number, nowMs: number): number {
  return levelOf(paidUntilMs, nowMs) - (freeAttempts - 1) * paceMs
}

/** The time until which the pace is paid after one more attempt, or one less. */
export function withPaid(
  paidUntilMs: number,
  { nowMs, paidMs = paceMs }: { nowMs: number; paidMs?: number },
): number {
  return levelOf(paidUntilMs, nowMs) + paidMs
}

/** The time that an attempt pays. */
export const attemptPaysMs = paceMs

function levelOf(paidUntilMs: number, nowMs: number): number {
  const fullMs = nowMs + freeAttempts * paceMs
  // A clock that was set back far must not prolong the wait.
  return paidUntilMs > fullMs + clockToleranceMs ? nowMs : Math.min(Math.max(paidUntilMs, nowMs), fullMs)
}
