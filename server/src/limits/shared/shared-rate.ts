import { addOwedParts, takePart } from '../../catalogue/limits/limit-counts.ts'
import { windowMs, type RateLimitState } from '../rate-limit.ts'
import type { LimitSharing } from './limit-sharing.ts'

/** The count of a holder in this minute, in this process. */
type Part = {
  windowMs: number
  used: number
  /** Requests that the catalogue granted, or was told of. */
  leased: number
  /** All that it had granted to all processes, when it was asked last. */
  total: number
  /** Nothing is left: it is not asked again before. */
  fullUntilMs: number
  waiting: number
  asking: Promise<void> | undefined
}

/** All allowances of the members together, and what they hold unused, are this part of a limit. */
const spareShare = 20
/** A lease that has ended meanwhile may have made room. */
const askAgainMs = 1_000

/**
 * A limit per minute that several processes count together. Each may use an allowance without
 * asking: for most keys the catalogue has no count. Beyond it, a process takes parts of the limit,
 * large enough for many requests. All allowances together are a twentieth of the limit, and so are
 * the parts that are held and not used. A process alone never exceeds the limit.
 */
export class SharedRate {
  readonly #sharing: LimitSharing
  readonly #kind: string
  readonly #limit: number
  #windowMs = 0
  #parts = new Map<string, Part>()
  #asked = 0

  constructor(sharing: LimitSharing, { kind, limit }: { kind: string; limit: number }) {
    this.#sharing = sharing
    this.#kind = kind
    this.#limit = limit
    sharing.beforeRenewal(() => this.#pay())
  }

  /** How often the catalogue was asked. */
  get asked(): number {
    return this.#asked
  }

  /** Counts a request. Rejects if the catalogue has to be asked and is away. */
  count(holder: string, nowMs: number): RateLimitState | Promise<RateLimitState> {
    const atMs = this.#sharing.sharedMs(nowMs)
    this.#begin(atMs)
    const part = this.#partOf(holder)
    const resetSeconds = Math.min(Math.ceil((this.#windowMs + windowMs - atMs) / 1000), windowMs / 1000)
    const mayUse = this.#mayUse(part)
    if (mayUse === true) part.used++
    if (mayUse !== undefined) return this.#answer(part, { mayUse, resetSeconds })
    return this.#ask(holder, part).then((granted) =>
      this.#answer(part, { mayUse: granted, resetSeconds: Math.max(resetSeconds, 1) }),
    )
  }

  #begin(atMs: number): void {
    const current = Math.floor(atMs / windowMs) * windowMs
    // The offset of the clocks is measured again and again, so time may go back a little.
    if (current === this.#windowMs || current === this.#windowMs - windowMs) return
    this.#windowMs = current
    this.#parts = new Map()
  }

  #partOf(holder: string): Part {
    const known = this.#parts.get(holder)
    if (known !== undefined) return known
    const part = {
      windowMs: this.#windowMs,
      used: 0,
      leased: 0,
      total: 0,
      fullUntilMs: 0,
      waiting: 0,
      asking: undefined,
    }
    this.#parts.set(holder, part)
    return part
  }

  /** Undefined: only the catalogue knows. */
  #mayUse(part: Part): boolean | undefined {
    if (part.used >= this.#limit) return false
    if (part.used < part.leased) return true
    const members = this.#sharing.members()
    if (members > 0) {
      if (this.#sharing.isAwaySince(part.windowMs)) return part.used < Math.floor(this.#limit / members)
      const allowance = Math.floor(this.#limit / (spareShare * members))
      if (part.used < allowance && this.#sharing.isKnownSince(part.windowMs)) return true
    }
    return performance.now() < part.fullUntilMs ? false : undefined
  }

  /** Waits for a part of the limit, with all others that need one. */
  async #ask(holder: string, part: Part): Promise<boolean> {
    for (;;) {
      part.waiting++
      try {
        part.asking ??= this.#take(holder, part).finally(() => {
          part.asking = undefined
        })
        await part.asking
      } finally {
        part.waiting--
      }
      const mayUse = this.#mayUse(part)
      if (mayUse === undefined) continue
      // Others in this turn must find it used.
      if (mayUse) part.used++
      return mayUse
    }
  }

  async #take(holder: string, part: Part): Promise<void> {
    // All that begin to wait in this turn of the event loop are asked for together.
    await new Promise(setImmediate)
    const count = this.#countOf(holder, part)
    const size = Math.floor(this.#limit / (spareShare * Math.max(1, this.#sharing.members())))
    const want = Math.max(size, part.waiting, 1)
    const owed = Math.max(0, part.used - part.leased)
    this.#asked++
    const { granted, total } = await takePart(this.#sharing.db, count, { limit: this.#limit, want, owed })
    part.leased += owed + granted
    part.total = total
    if (granted < want) part.fullUntilMs = performance.now() + askAgainMs
  }

  #answer(part: Part, { mayUse, resetSeconds }: { mayUse: boolean; resetSeconds: number }): RateLimitState {
    const left = Math.min(this.#limit - part.used, this.#limit - part.total + part.leased - part.used)
    return {
      allowed: mayUse,
      limit: this.#limit,
      remaining: mayUse ? Math.max(0, left) : 0,
      resetSeconds,
    }
  }

  #countOf(holder: string, { windowMs: ofWindowMs }: Part) {
    return {
      kind: this.#kind,
      holder: this.#sharing.hash(this.#kind, holder),
      windowMs: ofWindowMs,
    }
  }

  /** Use without the catalogue counts before others see this process again. */
  async #pay(): Promise<void> {
    if (!this.#sharing.isAwaySince(this.#windowMs)) return
    const owing = [...this.#parts].filter(([, { used, leased }]) => used > leased)
    const owed = owing.map(([holder, part]) => ({
      ...this.#countOf(holder, part),
      used: part.used - part.leased,
    }))
    await addOwedParts(this.#sharing.db, owed)
    for (const [index, [, part]] of owing.entries()) part.leased += owed[index]?.used ?? 0
  }
}
