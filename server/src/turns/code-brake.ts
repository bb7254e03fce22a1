import { createHmac, randomBytes } from 'node:crypto'
import { limits } from '@everscan/contract/schema/limits.ts'
import { regionOf } from '../address-networks.ts'
import { NetworkTriesStore, type NetworkTries } from './network-tries.ts'
import { freeAtMs, withPaid, type Pace } from './pace.ts'

/** A password that a visitor sent for a code. */
export type PasswordTry = {
  organizationId: string
  qrCodeId: string
  /** Stands for the password that the code has now: another one begins anew. */
  version: string
  /** Of the visitor: /24 or /48, as its first address. */
  network: string
}

/** How a try ended; `unchecked`: no answer was given to it. */
export type TryOutcome = 'right' | 'wrong' | 'unchecked'

/** A try that may be checked after `delayMs`. `end` must be called once. */
export type CountedTry = {
  kind: 'go'
  delayMs: number
  end: (outcome: TryOutcome, nowMs: number) => void
}

export type TryAnswer =
  | CountedTry
  | { kind: 'limited'; retryAfterSeconds: number }
  /** The answer depends on tries of this network that are checked now. */
  | { kind: 'undecided' }

const { accessTriesMax, accessNewTriesPerDay } = limits
const dayMs = 86_400_000
const windowMs = limits.accessTriesMinutes * 60_000
const pace: Pace = { freeAttempts: limits.accessFreeTriesMax, paceMs: dayMs / limits.accessTriesPerDay }
/** Tries of a network after a right answer, and wrong ones before it that it makes good. */
const triesPerRightAnswer = 3
/** Each right answer makes room for a part of a wrong one: of visitors some mistype and give up. */
const roomPerRightAnswer = 1 / 20
/** Tries of a new network on a day, and how long each waits. */
const triesPerNewNetwork = 2
const newNetworkWaitMs = 2_000
/** Codes whose hashes agree share a brake: memory is constant, and no flood makes it forget. */
const slots = 65_536
const regionsMax = 50_000

/**
 * Bounds the guesses of a password of a code, from one network and from everywhere.
 *
 * A network has 10 wrong tries in 10 minutes. A code has 50 at once from everywhere, and then 144 a
 * day. When these are used up, a network that was right before has three tries, and three again
 * after each right answer. A new network has two, after a wait of two seconds; all new networks
 * have 150 a day. A region (/16, /32) that had n of these gets another while fewer than
 * 150 / (n + 1) are used. So one region gets 12, and an attacker needs 150 regions to keep out a
 * visitor from another one.
 *
 * Wrong tries of attackers are therefore at most 50, and 144 + 150 for each day (UTC). Visitors
 * mistype: one more for 20 right answers, and six for each right answer in a network of theirs.
 */
export class CodeBrake {
  /** Nobody outside can choose codes that share a slot with another. */
  readonly #key = randomBytes(32)
  readonly #networks = new NetworkTriesStore()
  readonly #paidUntilMs = new Float64Array(slots)
  /** Tries of new networks today, by slot, and by slot and region. */
  readonly #newTries = new Float64Array(slots)
  readonly #newOfRegion = new Map<string, number>()
  #day = 0

  /** Networks in memory. */
  get networks(): number {
    return this.#networks.size
  }

  /** Counts a try in advance: until it ends, it may be a wrong one. */
  begin({ organizationId, qrCodeId, version, network }: PasswordTry, nowMs: number): TryAnswer {
    this.#startDay(nowMs)
    const tries = this.#networks.of(organizationId, `${qrCodeId} ${version} ${network}`)
    const reached = ownBoundReached(tries, nowMs)
    if (reached !== undefined) return reached
    const slot = this.#slotOf(`${organizationId} ${qrCodeId} ${version}`)
    const paid = this.#pay(slot, tries, { region: regionOf(network), nowMs })
    if (paid.kind !== 'paid') return paid
    tries.running++
    return {
      kind: 'go',
      delayMs: paid.delayMs,
      end: (outcome, endedMs) => {
        tries.running--
        this.#startDay(endedMs)
        paid.end(outcome, endedMs)
        if (outcome === 'wrong') tries.wrongAtMs.push(endedMs)
        if (outcome === 'right') this.#thank(slot, tries, endedMs)
      },
    }
  }

  /** Finds what allows the try: the pace of the code, a right answer before, or being new. */
  #pay(slot: number, tries: NetworkTries, from: { region: string; nowMs: number }): Paid | Unpaid {
    const freeMs = freeAtMs(pace, this.#paidUntilMs[slot] ?? 0, from.nowMs)
    if (freeMs <= from.nowMs) return this.#payByPace(slot, tries, from.nowMs)
    if (tries.credits > 0) return payByCredit(tries)
    if (tries.onCredit > 0) return { kind: 'undecided' }
    const paid = this.#payAsNew(slot, tries, from.region)
    return paid ?? { kind: 'limited', retryAfterSeconds: Math.ceil((freeMs - from.nowMs) / 1000) }
  }

  #payByPace(slot: number, tries: NetworkTries, nowMs: number): Paid {
    this.#move(slot, { nowMs, attempts: 1 })
    return {
      kind: 'paid',
      delayMs: 0,
      end: (outcome, endedMs) => {
        if (outcome === 'wrong') tries.charged = Math.min(triesPerRightAnswer, tries.charged + 1)
        else this.#move(slot, { nowMs: endedMs, attempts: -1 })
      },
    }
  }

  /** Undefined if this network, its region or all new networks have had their tries of the day. */
  #payAsNew(slot: number, tries: NetworkTries, region: string): Paid | undefined {
    const day = this.#day
    const key = `${slot} ${region}`
    const ofNetwork = tries.newOnDay === day ? tries.newTries : 0
    const share = accessNewTriesPerDay / ((this.#newOfRegion.get(key) ?? 0) + 1)
    if (ofNetwork >= triesPerNewNetwork || (this.#newTries[slot] ?? 0) >= share) return undefined
    tries.newOnDay = day
    tries.newTries = ofNetwork + 1
    this.#countNew(slot, key, 1)
    return {
      kind: 'paid',
      delayMs: newNetworkWaitMs,
      end: (outcome) => {
        if (outcome === 'wrong' || day !== this.#day) return
        tries.newTries--
        this.#countNew(slot, key, -1)
      },
    }
  }

  /** A right answer makes the network known and its mistakes good, and allows others mistakes. */
  #thank(slot: number, tries: NetworkTries, nowMs: number): void {
    this.#move(slot, { nowMs, attempts: -tries.charged - roomPerRightAnswer })
    this.#newTries[slot] = Math.max(0, (this.#newTries[slot] ?? 0) - roomPerRightAnswer)
    tries.charged = 0
    tries.credits = triesPerRightAnswer
  }

  #move(slot: number, by: { nowMs: number; attempts: number }): void {
    this.#paidUntilMs[slot] = withPaid(pace, this.#paidUntilMs[slot] ?? 0, by)
  }

  #countNew(slot: number, key: string, by: 1 | -1): void {
    this.#newTries[slot] = Math.max(0, (this.#newTries[slot] ?? 0) + by)
    const count = (this.#newOfRegion.get(key) ?? 0) + by
    this.#newOfRegion.delete(key)
    if (count > 0) this.#newOfRegion.set(key, count)
    const [oldest] = this.#newOfRegion.keys()
    // The region may have a few more then; the count of its code stays.
    if (this.#newOfRegion.size > regionsMax && oldest !== undefined) this.#newOfRegion.delete(oldest)
  }

  #startDay(nowMs: number): void {
    const day = Math.floor(nowMs / dayMs)
    if (day === this.#day) return
    this.#day = day
    this.#newTries.fill(0)
    this.#newOfRegion.clear()
  }

  #slotOf(code: string): number {
    return createHmac('sha256', this.#key).update(code).digest().readUInt16BE(0)
  }
}

type Paid = { kind: 'paid'; delayMs: number; end: CountedTry['end'] }
type Unpaid = Exclude<TryAnswer, CountedTry>

function payByCredit(tries: NetworkTries): Paid {
  tries.credits--
  tries.onCredit++
  return {
    kind: 'paid',
    delayMs: 0,
    end: (outcome) => {
      tries.onCredit--
      if (outcome === 'unchecked') tries.credits++
    },
  }
}

function ownBoundReached(tries: NetworkTries, nowMs: number): Unpaid | undefined {
  tries.wrongAtMs = tries.wrongAtMs.filter((atMs) => atMs > nowMs - windowMs)
  const [oldest = nowMs] = tries.wrongAtMs
  if (tries.wrongAtMs.length >= accessTriesMax)
    return { kind: 'limited', retryAfterSeconds: Math.ceil((oldest + windowMs - nowMs) / 1000) }
  return tries.wrongAtMs.length + tries.running >= accessTriesMax ? { kind: 'undecided' } : undefined
}
