import { problem } from '@everscan/contract/problems/problem.ts'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import type { SecretBox } from '../../secret-box.ts'
import type { Database } from '../../db/database.ts'
import { CatalogueUnavailable } from '../../db/errors.ts'
import { readEventPage, type EventPage } from '../../db/feeds/event-pages.ts'
import { errorMessage } from '../../errors.ts'
import type { Log } from '../../log.ts'
import {
  claimDeliveries,
  recordOutcomes,
  releaseDeliveries,
  renewDeliveries,
  waitingWebhooks,
  type DeliveryClaim,
  type DeliveryOutcome,
  type WaitingWebhook,
} from './delivery-claims.ts'
import { deliveryRequest, type RecordOf } from './delivery-request.ts'
import { DeliverySlots } from './delivery-slots.ts'
import { fanOut } from './fan-out.ts'
import type { CallOutcome, WebhookCaller } from './webhook-calls.ts'

export type DeliveryOptions = {
  db: Database
  box: SecretBox
  caller: WebhookCaller
  /** Returns an event as receivers get it. */
  recordOf: RecordOf
  log: Log
  clock?: () => number
  random?: () => number
  /** How often a worker without work looks for work. */
  pollMs?: number
  /** How long a delivery waits after its worker died. */
  leaseMs?: number
  /** How much the pause of a receiver grows with each failure in a row: see delivery-slots.ts. */
  pauseMsStep?: number | undefined
}

export type Deliveries = {
  /**
   * Resolves when the calls in progress have ended or were aborted. The next worker repeats the
   * aborted ones.
   */
  stop: () => Promise<void>
  stats: { sent: number; failed: number; fannedOut: number; disabled: number }
}

const defaults = { clock: Date.now, random: Math.random, pollMs: 200, leaseMs: 5_000, pauseMsStep: undefined }
const stopMsMax = 3_000
const backOffMs = 1_000
/** Outcomes within this time are written together: on SQLite each write is a flush of the disk. */
const gatherMs = 10

/**
 * Fans events out and delivers them until it is stopped. Any number of workers may do so, on any
 * number of machines.
 */
export function startDeliveries(options: DeliveryOptions): Deliveries {
  const courier = new Courier(options)
  const running = courier.run()
  running.catch((error: unknown) => options.log.error({ err: error }, 'delivering webhooks ended'))
  return {
    stats: courier.stats,
    stop: async () => {
      courier.stop()
      await running
    },
  }
}

/** The deliveries of one worker: it claims them, makes the calls, and records their outcomes. */
class Courier {
  readonly stats = { sent: 0, failed: 0, fannedOut: 0, disabled: 0 }
  readonly #options: Required<DeliveryOptions>
  readonly #slots: DeliverySlots
  readonly #stopping = new AbortController()
  readonly #cutOff = new AbortController()
  /**
   * Deliveries whose lease this worker holds: their calls are in progress, or their outcomes are
   * not recorded yet.
   */
  readonly #underWay = new Map<string, DeliveryClaim>()
  #ended: DeliveryOutcome[] = []
  #wake = Promise.withResolvers<void>()
  #renewAtMs = 0

  constructor(options: DeliveryOptions) {
    this.#options = { ...defaults, ...options }
    this.#slots = new DeliverySlots(options)
  }

  /** Resolves after a call of `stop`. */
  async run(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      const busy = await this.#turn().catch((error: unknown) => this.#backOff(error))
      // SQLite answers without a turn of the event loop, and ingest shares this process.
      if (busy) await nextTurn()
      else await Promise.race([this.#wake.promise, this.#pause(this.#options.pollMs)])
      if (this.#ended.length > 0) await sleep(gatherMs)
    }
    await this.#finish()
  }

  stop(): void {
    this.#stopping.abort()
  }

  /** Does one turn of the work. Returns true if there is more to do immediately. */
  async #turn(): Promise<boolean> {
    const { db, clock, leaseMs } = this.#options
    await this.#writeEnded()
    if (clock() >= this.#renewAtMs) {
      this.#renewAtMs = clock() + leaseMs / 3
      await renewDeliveries(db, [...this.#underWay.values()], { nowMs: clock(), leaseMs })
    }
    const pages = await fanOut(db, clock())
    this.stats.fannedOut += pages
    const claimed = await this.#claimSome()
    return pages > 0 || claimed > 0
  }

  async #backOff(error: unknown): Promise<false> {
    const away = error instanceof CatalogueUnavailable
    this.#options.log.warn({ error: errorMessage(error), ...(!away && { err: error }) }, 'webhooks wait')
    await this.#pause(backOffMs)
    return false
  }

  /** Waits; a stop ends the wait. */
  async #pause(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.#stopping.signal }).catch(() => undefined)
  }

  async #writeEnded(): Promise<void> {
    if (this.#ended.length === 0) return
    const { db, log, clock, random } = this.#options
    const outcomes = this.#ended
    this.#ended = []
    this.#wake = Promise.withResolvers()
    try {
      const disabled = await recordOutcomes(db, outcomes, { nowMs: clock(), random })
      this.stats.disabled += disabled.length
      for (const webhook of disabled) log.warn({ webhook }, 'a webhook was disabled')
    } catch (error) {
      // The leases are kept meanwhile.
      this.#ended = [...outcomes, ...this.#ended]
      throw error
    }
    for (const { claim } of outcomes) this.#underWay.delete(claim.id)
  }

  async #claimSome(): Promise<number> {
    if (this.#slots.free() === 0) return 0
    const { db, clock, leaseMs } = this.#options
    let count = 0
    const pages = new Map<string, Promise<EventPage | undefined>>()
    for (const webhook of this.#slots.inTurn(await waitingWebhooks(db))) {
      const limit = this.#slots.freeFor(webhook, performance.now())
      if (limit <= 0) continue
      const claims = await claimDeliveries(db, webhook.id, { limit, nowMs: clock(), leaseMs })
      for (const claim of claims) {
        const page = pages.get(claim.pageId) ?? readEventPage(db, { ...claim, id: claim.pageId })
        pages.set(claim.pageId, page)
        this.#start(webhook, claim, page)
      }
      if (claims.length > 0) this.#slots.served(webhook)
      count += claims.length
    }
    return count
  }

  #start(webhook: WaitingWebhook, claim: DeliveryClaim, page: Promise<EventPage | undefined>): void {
    const isUnderWay = this.#underWay.has(claim.id)
    this.#underWay.set(claim.id, claim)
    // The delivery was claimed again after its lease ran out, but its call is still in progress:
    // that call is the one that counts.
    if (isUnderWay) return
    this.#slots.take(webhook)
    void page
      .then((found) => this.#send(webhook, claim, found))
      .catch((error: unknown) => {
        this.#options.log.error({ err: error, delivery: claim.id }, 'a delivery could not be made')
        return { succeeded: false, problem: problem('deliveryNotMade'), durationMs: 0 }
      })
      .then((outcome: CallOutcome) => this.#takeOutcome(webhook, claim, outcome))
  }

  async #send(
    webhook: WaitingWebhook,
    claim: DeliveryClaim,
    page: EventPage | undefined,
  ): Promise<CallOutcome> {
    const { box, recordOf, clock, caller } = this.#options
    const asked = deliveryRequest({ webhook, claim, page }, { box, recordOf, nowMs: clock() })
    if ('problem' in asked) return { succeeded: false, problem: asked.problem, durationMs: 0 }
    return caller.call(webhook.url, { ...asked, signal: this.#cutOff.signal })
  }

  #takeOutcome(webhook: WaitingWebhook, claim: DeliveryClaim, outcome: CallOutcome): void {
    this.#slots.release(webhook, { failed: !outcome.succeeded, nowMs: performance.now() })
    if (this.#cutOff.signal.aborted) return
    this.stats[outcome.succeeded ? 'sent' : 'failed']++
    this.#ended.push({ claim: this.#underWay.get(claim.id) ?? claim, outcome })
    this.#wake.resolve()
  }

  /** Gives calls in progress some time, and returns the leases of those that last longer. */
  async #finish(): Promise<void> {
    const { db, caller } = this.#options
    const untilMs = performance.now() + stopMsMax
    while (this.#underWay.size > this.#ended.length && performance.now() < untilMs) await sleep(gatherMs)
    this.#cutOff.abort()
    await this.#writeEnded().catch(() => undefined)
    await releaseDeliveries(db, [...this.#underWay.values()]).catch(() => undefined)
    caller.close()
  }
}
