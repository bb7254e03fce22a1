import { movePace } from '../../catalogue/limits/limit-attempts.ts'
import { freeAtMs, withPaid } from '../../turns/pace.ts'
import { accountPace, slotOf, type Brake, type BrakedAttempt } from '../account-brake.ts'
import { NetworkTurns } from '../network-turns.ts'
import type { LimitSharing } from './limit-sharing.ts'

/**
 * The brake of several processes: an account has one pace, in the catalogue. While it is used up,
 * each process knows until when, so an attack costs a query in five seconds. Turns of networks are
 * those of the process that refused the network, which gives its part of the turns of an account.
 */
export class SharedBrake implements Brake {
  readonly #sharing: LimitSharing
  readonly #kind: string
  readonly #turns: NetworkTurns
  /** When slots are free again, by the catalogue's clock. */
  readonly #freeAtMs = new Map<number, number>()
  /** One question about a slot at a time: the next one may be answered by it. */
  readonly #asking = new Map<number, Promise<boolean>>()

  constructor(sharing: LimitSharing, kind: string) {
    this.#sharing = sharing
    this.#kind = kind
    this.#turns = new NetworkTurns(() => sharing.members())
  }

  async begin(account: string, network: string, nowMs: number): Promise<BrakedAttempt> {
    const slot = slotOf(this.#sharing.slotKey(), account)
    const turn = { slot, network, nowMs }
    const isPaid = await this.#pay(slot, this.#sharing.sharedMs(nowMs))
    if (!isPaid) this.#turns.use(turn)
    return {
      succeed: async () => {
        this.#turns.renew(turn)
        if (isPaid) await this.#payBack(slot, this.#sharing.sharedMs(nowMs))
      },
    }
  }

  async #pay(slot: number, atMs: number): Promise<boolean> {
    for (;;) {
      if (atMs < (this.#freeAtMs.get(slot) ?? 0)) return false
      const asking = this.#asking.get(slot)
      if (asking === undefined) break
      await asking.catch(() => false)
    }
    const asking = this.#move(slot, atMs).finally(() => this.#asking.delete(slot))
    this.#asking.set(slot, asking)
    return asking
  }

  async #move(slot: number, atMs: number): Promise<boolean> {
    const before = await movePace(this.#sharing.db, this.#nameOf(slot), (paidUntilMs) =>
      freeAtMs(accountPace, paidUntilMs, atMs) <= atMs
        ? withPaid(accountPace, paidUntilMs, { nowMs: atMs })
        : undefined,
    )
    const freeMs = freeAtMs(accountPace, before, atMs)
    if (freeMs <= atMs) {
      this.#freeAtMs.delete(slot)
      return true
    }
    this.#freeAtMs.set(slot, freeMs)
    return false
  }

  async #payBack(slot: number, atMs: number): Promise<void> {
    this.#freeAtMs.delete(slot)
    await movePace(this.#sharing.db, this.#nameOf(slot), (paidUntilMs) =>
      withPaid(accountPace, paidUntilMs, { nowMs: atMs, attempts: -1 }),
    )
  }

  #nameOf(slot: number): string {
    return `${this.#kind} ${slot}`
  }
}
