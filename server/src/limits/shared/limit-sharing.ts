import { createHmac } from 'node:crypto'
import { leaveMembers, renewMember, silentMs, sweepLimits } from '../../catalogue/limits/limit-members.ts'
import type { Database } from '../../db/database.ts'
import { errorMessage } from '../../errors.ts'
import type { Log } from '../../log.ts'

export type LimitSharingOptions = {
  db: Database
  /** The same for a process and the one that replaces it. */
  name: string
  /** Holders are in the catalogue only as hashes with this key: no address is. */
  key: string
  log: Log
  renewEveryMs?: number
  /** How long the others keep the share of a process that has died. */
  leaseMs?: number
  /** A clock that is never set. */
  elapsedMs?: () => number
}

const defaults = { renewEveryMs: 3_000, leaseMs: 60_000, elapsedMs: () => performance.now() }
const sweepEveryMs = 60_000
/** The others see this process as silent for this long before it uses its share without asking. */
const certainMs = 1_000

/**
 * The membership of this process among those that count limits together in a catalogue (record 80).
 * It renews a lease every 3 s. Without an answer for 11 s, the process is away: then it may use its
 * share of each limit, and the others leave that share alone until its lease has ended.
 */
export class LimitSharing {
  readonly db: Database
  readonly #options: LimitSharingOptions & typeof defaults
  readonly #pays: (() => Promise<void>)[] = []
  #members = 0
  /** Of the catalogue's clock and ours. */
  #offsetMs = 0
  #joinedMs = Infinity
  #renewedMs = -Infinity
  #renewedAt = -Infinity
  #sweptAt = -Infinity
  #timer: NodeJS.Timeout | undefined
  #renewing: Promise<void> | undefined
  #isStopped = false

  constructor(options: LimitSharingOptions) {
    this.db = options.db
    this.#options = { ...defaults, ...options }
  }

  get name(): string {
    return this.#options.name
  }

  /** How many processes count together, as far as this one knows; 0 before it is one of them. */
  members(): number {
    return this.#members
  }

  /** The time of the catalogue, at a time of ours. */
  sharedMs(nowMs: number): number {
    return nowMs + this.#offsetMs
  }

  /** Whether all members know of this one since before that time: then it has an allowance. */
  isKnownSince(sharedMs: number): boolean {
    return sharedMs >= this.#joinedMs + 2 * this.#options.renewEveryMs
  }

  /**
   * Whether the catalogue has been away, and all others that reach it leave this process its share,
   * since before that time.
   */
  isAwaySince(sharedMs: number): boolean {
    const awayMs = silentMs + certainMs
    return this.#options.elapsedMs() - this.#renewedAt > awayMs && sharedMs >= this.#renewedMs + awayMs
  }

  /** The name of a holder in the catalogue. */
  hash(kind: string, holder: string): string {
    const hmac = createHmac('sha256', this.#options.key).update(`${kind} ${holder}`)
    return hmac.digest('base64url').slice(0, 22)
  }

  slotKey(): string {
    return this.#options.key
  }

  /** Runs before each renewal: it tells the catalogue what was used without asking. */
  beforeRenewal(pay: () => Promise<void>): void {
    this.#pays.push(pay)
  }

  /** Joins the others, as soon as the catalogue answers. */
  async start(): Promise<void> {
    await this.renew()
    if (this.#isStopped) return
    this.#timer = setInterval(() => void this.renew(), this.#options.renewEveryMs)
  }

  /** Leaves the others: they have its share and its places at once. */
  async stop(): Promise<void> {
    this.#isStopped = true
    clearInterval(this.#timer)
    await this.#renewing
    for (const pay of this.#pays) await pay()
    await leaveMembers(this.db, this.name)
  }

  /** Renews the lease. A failure is only logged: the next renewal follows. */
  async renew(): Promise<void> {
    this.#renewing ??= this.#renewNow()
      .catch((error: unknown) =>
        this.#options.log.warn({ error: errorMessage(error) }, 'limits are not counted with other machines'),
      )
      .finally(() => {
        this.#renewing = undefined
      })
    await this.#renewing
  }

  async #renewNow(): Promise<void> {
    const { elapsedMs } = this.#options
    // A process of this name that died has left places.
    if (this.#joinedMs === Infinity) await leaveMembers(this.db, this.name)
    for (const pay of this.#pays) await pay()
    const sentMs = Date.now()
    const { members, nowMs } = await renewMember(this.db, this.name, this.#options)
    this.#offsetMs = Math.round(nowMs - (sentMs + Date.now()) / 2)
    this.#members = members
    this.#renewedMs = nowMs
    this.#renewedAt = elapsedMs()
    if (this.#joinedMs === Infinity) this.#joinedMs = nowMs
    if (elapsedMs() - this.#sweptAt < sweepEveryMs) return
    this.#sweptAt = elapsedMs()
    await sweepLimits(this.db)
  }
}
