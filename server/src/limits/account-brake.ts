import { createHmac, randomBytes } from 'node:crypto'
import { freeAtMs, withPaid, type Pace } from '../turns/pace.ts'
import { NetworkTurns } from './network-turns.ts'

/** Attempts in a row that the brake lets through, and the pace at which it lets through more. */
export const accountPace: Pace = { freeAttempts: 50, paceMs: 5_000 }
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
    const attempts = freeAtMs(accountPace, this.#paidUntilMs[slot] ?? 0, nowMs) <= nowMs ? 1 : 0
    if (attempts === 0) this.#turns.use(turn)
    else this.#pay(slot, { nowMs, attempts })
    return {
      succeed: () => {
        this.#pay(slot, { nowMs, attempts: -attempts })
        this.#turns.renew(turn)
      },
    }
  }

  #pay(slot: number, attempts: { nowMs: number; attempts: number }): void {
    this.#paidUntilMs[slot] = withPaid(accountPace, this.#paidUntilMs[slot] ?? 0, attempts)
  }
}

/** Returns the slot of an account. */
export function slotOf(key: Buffer | string, account: string): number {
  return createHmac('sha256', key).update(account).digest().readUInt16BE(0)
}
