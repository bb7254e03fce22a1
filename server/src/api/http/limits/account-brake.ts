import { createHmac, randomBytes } from 'node:crypto'
import { tooManyAttempts } from './attempt-limiter.ts'

/** Attempts in a row that the brake lets through, and the pace at which it lets through more. */
const freeAttempts = 50
const paceMs = 5_000
/**
 * The pace alone would shut the owner out: thousands of clients that repeat their attempts all the
 * time take every place. So each network has a few turns a day that no other network can take.
 */
const turnsPerNetwork = 3
const turnWaitMs = 10_000
/** A turn that is not used within this time is lost. */
const turnLastsMs = 5 * 60_000
/** Per day: bounds the guesses of any number of networks. */
const turnsPerAccount = 10_000
/** The wait of a network that has used its turns: it may then try to get a place. */
const waitMs = 60_000
const dayMs = 86_400_000
/**
 * Accounts whose hashes agree share a place, so that memory is constant and no flood of other
 * addresses makes the process forget an account.
 */
const slots = 65_536
/** Above it the oldest are forgotten: they have turns again, but no account has more. */
const networksMax = 100_000

/** The turns of a network for an account, today. `readyAtMs` is when the next one may be used. */
type Turns = { given: number; readyAtMs: number | undefined }

/** An attempt that was let through. */
export type BrakedAttempt = {
  /** The attempt succeeded, so it counts for nothing. */
  succeed: () => void
}

/**
 * Slows down attempts on one account from everywhere, which no limit by network can see. After 50
 * attempts in a row, one in five seconds is let through. A network that is refused gets a turn
 * after ten seconds, three times a day, so the owner at a new place gets through during an attack.
 * At most 10,000 turns a day are given for one account. Everything is in the memory of this
 * process: each of several `api` processes counts for itself. Accounts that do not exist count in
 * the same way, so a refusal tells nothing.
 */
export class AccountBrake {
  /** Nobody outside can choose addresses that share a slot with another. */
  readonly #key = randomBytes(32)
  /**
   * The generic cell rate algorithm (ITU-T I.371): the time at which all attempts so far would have
   * been made at the pace.
   */
  readonly #paidUntilMs = new Float64Array(slots)
  readonly #turns = new Map<string, Turns>()
  readonly #givenOf = new Map<number, number>()
  #day = 0

  /** Counts an attempt in advance. Throws ApiError 429, with a wait of at most a minute. */
  begin(account: string, network: string, nowMs: number): BrakedAttempt {
    this.#startDay(nowMs)
    const slot = createHmac('sha256', this.#key).update(account).digest().readUInt16BE(0)
    const key = `${slot} ${network}`
    if (this.#isFree(slot, nowMs)) {
      this.#paidUntilMs[slot] = this.#levelOf(slot, nowMs) + paceMs
      return { succeed: () => this.#succeed({ slot, key, nowMs, paidMs: paceMs }) }
    }
    const turns = this.#turns.get(key) ?? { given: 0, readyAtMs: undefined }
    const { readyAtMs } = turns
    if (readyAtMs !== undefined && nowMs < readyAtMs) throw refusal(readyAtMs - nowMs)
    turns.readyAtMs = undefined
    if (readyAtMs !== undefined && nowMs < readyAtMs + turnLastsMs)
      return { succeed: () => this.#succeed({ slot, key, nowMs, paidMs: 0 }) }
    throw refusal(this.#giveTurn({ slot, key, turns, nowMs }) ? turnWaitMs : waitMs)
  }

  /** Gives a network a turn, if it and the account have any left. */
  #giveTurn(of: { slot: number; key: string; turns: Turns; nowMs: number }): boolean {
    const { slot, key, turns, nowMs } = of
    const givenOfAccount = this.#givenOf.get(slot) ?? 0
    if (turns.given >= turnsPerNetwork || givenOfAccount >= turnsPerAccount) return false
    this.#givenOf.set(slot, givenOfAccount + 1)
    this.#turns.delete(key)
    this.#turns.set(key, { given: turns.given + 1, readyAtMs: nowMs + turnWaitMs })
    const [oldest] = this.#turns.keys()
    if (this.#turns.size > networksMax && oldest !== undefined) this.#turns.delete(oldest)
    return true
  }

  /** The network knows the password: its next request, such as that with a code, need not wait. */
  #succeed({ slot, key, nowMs, paidMs }: { slot: number; key: string; nowMs: number; paidMs: number }): void {
    this.#paidUntilMs[slot] = this.#levelOf(slot, nowMs) - paidMs
    const turns = this.#turns.get(key)
    if (turns !== undefined) turns.readyAtMs = nowMs
  }

  #isFree(slot: number, nowMs: number): boolean {
    return this.#levelOf(slot, nowMs) - nowMs <= (freeAttempts - 1) * paceMs
  }

  #levelOf(slot: number, nowMs: number): number {
    const paidUntilMs = this.#paidUntilMs[slot] ?? 0
    const fullMs = nowMs + freeAttempts * paceMs
    // A clock that was set back far must not prolong the wait.
    return paidUntilMs > fullMs + waitMs ? nowMs : Math.min(Math.max(paidUntilMs, nowMs), fullMs)
  }

  #startDay(nowMs: number): void {
    const day = Math.floor(nowMs / dayMs)
    if (day === this.#day) return
    this.#day = day
    this.#turns.clear()
    this.#givenOf.clear()
  }
}

function refusal(leftMs: number) {
  return tooManyAttempts(Math.ceil(leftMs / 1000))
}
