import { tooManyAttempts } from './attempt-limiter.ts'

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
/** Above it the oldest are forgotten: they have turns again, but no account has more. */
const networksMax = 100_000

/** The turns of a network for an account, today. `readyAtMs` is when the next one may be used. */
type Turns = { given: number; readyAtMs: number | undefined }

/** A network that tries to sign in to an account, by the account's slot. */
export type TurnOf = { slot: number; network: string; nowMs: number }

/** The turns of networks that the brake of an account refused. */
export class NetworkTurns {
  readonly #turns = new Map<string, Turns>()
  readonly #givenOf = new Map<number, number>()
  /** How many processes give turns: each gives its part. */
  readonly #members: () => number
  #day = 0

  constructor(members: () => number = () => 1) {
    this.#members = members
  }

  /** Uses a turn. Throws ApiError 429 with the wait for one, at most a minute. */
  use({ slot, network, nowMs }: TurnOf): void {
    this.#startDay(nowMs)
    const key = keyOf(slot, network)
    const turns = this.#turns.get(key) ?? { given: 0, readyAtMs: undefined }
    const { readyAtMs } = turns
    if (readyAtMs !== undefined && nowMs < readyAtMs) throw refusal(readyAtMs - nowMs)
    turns.readyAtMs = undefined
    if (readyAtMs !== undefined && nowMs < readyAtMs + turnLastsMs) return
    throw refusal(this.#give({ slot, key, turns, nowMs }) ? turnWaitMs : waitMs)
  }

  /** The network knows the password: its next request, such as that with a code, need not wait. */
  renew({ slot, network, nowMs }: TurnOf): void {
    const turns = this.#turns.get(keyOf(slot, network))
    if (turns !== undefined) turns.readyAtMs = nowMs
  }

  /** Gives a network a turn, if it and the account have any left. */
  #give(of: { slot: number; key: string; turns: Turns; nowMs: number }): boolean {
    const { slot, key, turns, nowMs } = of
    const members = Math.max(1, this.#members())
    const givenOfAccount = this.#givenOf.get(slot) ?? 0
    if (turns.given >= Math.max(1, Math.floor(turnsPerNetwork / members))) return false
    if (givenOfAccount >= turnsPerAccount / members) return false
    this.#givenOf.set(slot, givenOfAccount + 1)
    this.#turns.delete(key)
    this.#turns.set(key, { given: turns.given + 1, readyAtMs: nowMs + turnWaitMs })
    const [oldest] = this.#turns.keys()
    if (this.#turns.size > networksMax && oldest !== undefined) this.#turns.delete(oldest)
    return true
  }

  #startDay(nowMs: number): void {
    const day = Math.floor(nowMs / dayMs)
    if (day === this.#day) return
    this.#day = day
    this.#turns.clear()
    this.#givenOf.clear()
  }
}

function keyOf(slot: number, network: string): string {
  return `${slot} ${network}`
}

function refusal(leftMs: number) {
  return tooManyAttempts(Math.ceil(leftMs / 1000))
}
