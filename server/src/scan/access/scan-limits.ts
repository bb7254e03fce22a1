import { waitAwake, within, type AwakeWait } from '../../visitors/awake-time.ts'
import { errorMessage } from '../../errors.ts'
import type { Log } from '../../log.ts'
import type { LimitKey } from '../../db/scans/limit-excesses.ts'
import type { Lease } from '../../db/scans/scan-limits.ts'
import type { KnownLimit } from './guarded-code.ts'

/** The counters of limits, in the catalogue. */
export type LimitCounters = {
  take: (key: LimitKey, want: number) => Promise<Lease | undefined>
  isFull: (key: LimitKey) => Promise<boolean>
  giveBack: (key: LimitKey, rest: { left: number; resets: number }) => Promise<void>
  /** Counts answers that were given without a lease. */
  addOwed: (key: LimitKey, answers: number) => Promise<void>
}

/** Whether a code answers one more person. */
export type LimitAnswer = 'open' | 'full' | 'unknown'

type Held = {
  key: LimitKey
  left: number
  resets: number
  takenAtMs: number
  usedAtMs: number
  /** Answers that the catalogue does not know yet. */
  owed: number
  waiting: number
  asking: Promise<'asked' | 'full' | 'away'> | undefined
}

/** A scan waits this long for the catalogue, besides the time in which this front stood still. */
const waitMsMax = 250
const tickMs = 250
/** A lease is given back when it was not used for this long, or is this old. */
const idleMs = 400
const leaseMs = 600
/** A front without news forgets a code after this long. */
const forgetMs = 10_000
const logEveryMs = 10_000
/** How long an answer without the count is shown as a problem. */
const shownMs = 60_000

/** The time of leases. `every` returns what ends the ticks. */
export type LimitTime = { nowMs: () => number; every: (ms: number, tick: () => void) => () => void }

const processTime: LimitTime = {
  nowMs: () => performance.now(),
  every: (ms, tick) => {
    const timer = setInterval(tick, ms).unref()
    return () => clearInterval(timer)
  },
}

/**
 * The leases of this front. A lease is counted in the catalogue before any of its answers is given,
 * so all fronts together never exceed a limit, and a front that dies takes its lease with it. A
 * lease is short: what is left of it goes back within a second.
 */
export class ScanLimits {
  readonly #counters: LimitCounters
  readonly #log: Log
  readonly #held = new Map<string, Held>()
  readonly #unknown = { open: 0, closed: 0 }
  readonly #time: LimitTime
  #stopTicks: (() => void) | undefined
  #loggedAtMs = -Infinity
  #unknownAtMs = -Infinity
  #isClosed = false

  constructor(counters: LimitCounters, log: Log, time = processTime) {
    this.#counters = counters
    this.#log = log
    this.#time = time
  }

  /** Answers that were decided by `whenUnknown`, and codes with a lease. */
  stats(): { open: number; closed: number; codes: number; isUnknown: boolean } {
    const isUnknown = this.#time.nowMs() - this.#unknownAtMs < shownMs
    return { ...this.#unknown, codes: this.#held.size, isUnknown }
  }

  /** Takes one answer. The promise resolves within 250 ms, unless this front stands still. */
  take(limit: KnownLimit): 'open' | Promise<Exclude<LimitAnswer, 'unknown'>> {
    const held = this.#heldOf(limit)
    if (held.left > 0) return this.#use(held)
    return this.#takeLater(held, limit)
  }

  /** Whether an answer is left, without taking it. */
  async peek(limit: KnownLimit): Promise<Exclude<LimitAnswer, 'unknown'>> {
    const held = this.#heldOf(limit)
    if (held.left > 0) return 'open'
    const asked = this.#counters.isFull(held.key).catch(() => 'away' as const)
    const isFull = await within(asked, waitMsMax)
    if (isFull === 'away' || isFull === 'late') return limit.whenUnknown === 'open' ? 'open' : 'full'
    return isFull ? 'full' : 'open'
  }

  /** Gives every lease back. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#stopTicks?.()
    for (const held of this.#held.values()) await held.asking
    await Promise.all([...this.#held.values()].map((held) => this.#giveBack(held)))
  }

  #heldOf({ organizationId, qrCodeId, resets }: KnownLimit): Held {
    // An id alone is no key: two organizations may have codes with the same one.
    const name = `${organizationId} ${qrCodeId}`
    let held = this.#held.get(name)
    if (held === undefined) {
      const nowMs = this.#time.nowMs()
      const key = { organizationId, qrCodeId }
      held = {
        key,
        left: 0,
        resets,
        takenAtMs: nowMs,
        usedAtMs: nowMs,
        owed: 0,
        waiting: 0,
        asking: undefined,
      }
      this.#held.set(name, held)
      if (!this.#isClosed) this.#stopTicks ??= this.#time.every(tickMs, () => this.#tick())
    }
    // The count began anew: the lease belongs to the count before.
    if (held.resets < resets) {
      held.left = 0
      held.resets = resets
    }
    return held
  }

  #use(held: Held): 'open' {
    held.left--
    held.usedAtMs = this.#time.nowMs()
    return 'open'
  }

  async #takeLater(held: Held, limit: KnownLimit): Promise<Exclude<LimitAnswer, 'unknown'>> {
    const wait = waitAwake(waitMsMax)
    try {
      for (;;) {
        const answer = await this.#ask(held, wait)
        if (held.left > 0) return this.#use(held)
        if (answer === 'full') return 'full'
        if (answer === 'unknown') return this.#decide(held, limit)
      }
    } finally {
      wait.end()
    }
  }

  /** Asks the catalogue for a lease, once for all that wait. */
  async #ask(held: Held, { late }: AwakeWait): Promise<LimitAnswer> {
    held.waiting++
    try {
      // Those that wait for an answer to others do not count as part of it.
      held.asking ??= this.#lease(held).finally(() => {
        held.asking = undefined
      })
      const answer = await Promise.race([held.asking, late])
      return answer === 'asked' ? 'open' : answer === 'full' ? 'full' : 'unknown'
    } finally {
      held.waiting--
    }
  }

  async #lease(held: Held): Promise<'asked' | 'full' | 'away'> {
    // All that begin to wait in this turn of the event loop are asked for together.
    await new Promise(setImmediate)
    try {
      await this.#payOwed(held)
      const lease = await this.#counters.take(held.key, held.waiting)
      // Without a limit any more, or not yet: the next look-up of the code knows.
      if (lease === undefined) {
        held.left += held.waiting
        return 'asked'
      }
      if (lease.granted === 0) return 'full'
      if (lease.resets !== held.resets) held.left = 0
      held.resets = lease.resets
      held.left += lease.granted
      held.takenAtMs = this.#time.nowMs()
      return 'asked'
    } catch (error) {
      this.#tell(error)
      return 'away'
    }
  }

  async #payOwed(held: Held): Promise<void> {
    const { owed } = held
    if (owed === 0) return
    await this.#counters.addOwed(held.key, owed)
    held.owed -= owed
  }

  /** Without the count: the code's own setting decides. */
  #decide(held: Held, { whenUnknown }: KnownLimit): 'open' | 'full' {
    this.#unknown[whenUnknown]++
    this.#unknownAtMs = this.#time.nowMs()
    this.#tell('the catalogue did not answer in time')
    if (whenUnknown === 'closed') return 'full'
    held.owed++
    return 'open'
  }

  #tell(error: unknown): void {
    const nowMs = this.#time.nowMs()
    if (nowMs - this.#loggedAtMs < logEveryMs) return
    this.#loggedAtMs = nowMs
    const { open, closed } = this.#unknown
    this.#log.warn(
      { error: errorMessage(error), open, closed },
      'limits of codes are unknown: each code answers as its whenUnknown says',
    )
  }

  #tick(): void {
    const nowMs = this.#time.nowMs()
    for (const [name, held] of this.#held) {
      const { left, owed, waiting, asking, takenAtMs, usedAtMs } = held
      if (waiting > 0 || asking !== undefined) continue
      if (left > 0 && (nowMs - usedAtMs > idleMs || nowMs - takenAtMs > leaseMs)) void this.#giveBack(held)
      else if (owed > 0) held.asking = this.#settle(held)
      else if (left === 0 && nowMs - usedAtMs > forgetMs) this.#held.delete(name)
    }
    if (this.#held.size > 0) return
    this.#stopTicks?.()
    this.#stopTicks = undefined
  }

  async #settle(held: Held): Promise<'asked' | 'away'> {
    try {
      await this.#payOwed(held)
      return 'asked'
    } catch {
      return 'away'
    } finally {
      held.asking = undefined
    }
  }

  /** A failed return is not repeated: it may have arrived, and two would exceed the limit. */
  async #giveBack(held: Held): Promise<void> {
    const { key, left, resets } = held
    if (left === 0) return
    held.left = 0
    try {
      await this.#counters.giveBack(key, { left, resets })
    } catch (error) {
      this.#tell(error)
    }
  }
}
