import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import type { Event } from '@everscan/contract/resources/events.ts'
import type { SecretBox } from '../../secret-box.ts'
import { signatureHeaders } from '../../catalogue/webhooks/secrets.ts'
import type { Database } from '../../db/database.ts'
import { CatalogueUnavailable } from '../../db/errors.ts'
import { readEventPage, type EventPage, type StoredEvent } from '../../db/feeds/event-pages.ts'
import { errorMessage } from '../../errors.ts'
import { eventId } from '../../ids.ts'
import type { Log } from '../../log.ts'
import {
  claimDeliveries,
  recordOutcomes,
  renewDeliveries,
  waitingWebhooks,
  type DeliveryClaim,
  type DeliveryOutcome,
  type WaitingWebhook,
} from './delivery-claims.ts'
import { createDeliverySlots, type DeliverySlots } from './delivery-slots.ts'
import { fanOut } from './fan-out.ts'
import type { CallOutcome, WebhookCaller } from './webhook-calls.ts'

export type DeliveryOptions = {
  db: Database
  box: SecretBox
  caller: WebhookCaller
  /** An event as receivers get it. */
  recordOf: (event: StoredEvent, place: { organizationId: string; id: string }) => Event
  log: Log
  clock?: () => number
  random?: () => number
  /** How often a worker without work looks for some. */
  pollMs?: number
  /** How long a delivery waits after the worker that had it died. */
  leaseMs?: number
  /** How much longer a receiver is left alone after each failure in a row: see delivery-slots.ts. */
  pauseMsStep?: number | undefined
}

export type Deliveries = {
  /** Resolves when the calls under way have ended or were broken off; those are made again by the next worker. */
  stop: () => Promise<void>
  stats: { sent: number; failed: number; fannedOut: number; disabled: number }
}

const pollMsDefault = 200
const leaseMsDefault = 5_000
const stopMsMax = 3_000
const backOffMs = 1_000
/** What ends within this time is written down together: on SQLite each write is a flush of the disk. */
const gatherMs = 10

/** Fans events out and delivers them until it is stopped. Any number of workers may, on any number of machines. */
export function startDeliveries(options: DeliveryOptions): Deliveries {
  const courier = createCourier(options)
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

function createCourier({
  db,
  box,
  caller,
  recordOf,
  log,
  clock = Date.now,
  random = Math.random,
  pollMs = pollMsDefault,
  leaseMs = leaseMsDefault,
  pauseMsStep,
}: DeliveryOptions) {
  const stopping = new AbortController()
  const cutOff = new AbortController()
  const stats = { sent: 0, failed: 0, fannedOut: 0, disabled: 0 }
  const slots: DeliverySlots = createDeliverySlots({ pauseMsStep })
  const underWay = new Map<string, DeliveryClaim>()
  let ended: DeliveryOutcome[] = []
  let wake = Promise.withResolvers<void>()
  let renewAtMs = 0

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      const busy = await turn().catch(async (error: unknown) => {
        const away = error instanceof CatalogueUnavailable
        log.warn({ error: errorMessage(error), ...(!away && { err: error }) }, 'webhooks wait')
        await sleep(backOffMs, undefined, { signal: stopping.signal }).catch(() => undefined)
        return false
      })
      // SQLite answers without a turn of the event loop, and ingest shares this process.
      if (busy) await nextTurn()
      else
        await Promise.race([
          wake.promise,
          sleep(pollMs, undefined, { signal: stopping.signal }).catch(() => undefined),
        ])
      if (ended.length > 0) await sleep(gatherMs)
    }
    await finish()
  }

  /** True: there is more to do at once. */
  async function turn(): Promise<boolean> {
    await writeEnded()
    if (clock() >= renewAtMs) {
      renewAtMs = clock() + leaseMs / 3
      await renewDeliveries(db, [...underWay.values()], clock() + leaseMs)
    }
    const pages = await fanOut(db, clock())
    stats.fannedOut += pages
    const claimed = await claimSome()
    return pages > 0 || claimed > 0
  }

  async function writeEnded(): Promise<void> {
    if (ended.length === 0) return
    const outcomes = ended
    ended = []
    wake = Promise.withResolvers()
    try {
      const disabled = await recordOutcomes(db, outcomes, { nowMs: clock(), random })
      stats.disabled += disabled.length
      for (const webhook of disabled) log.warn({ webhook }, 'a webhook was disabled')
    } catch (error) {
      // The leases are held on to meanwhile.
      ended = [...outcomes, ...ended]
      throw error
    }
    for (const { claim } of outcomes) underWay.delete(claim.id)
  }

  async function claimSome(): Promise<number> {
    if (slots.free() === 0) return 0
    let count = 0
    const pages = new Map<string, Promise<EventPage | undefined>>()
    for (const webhook of slots.inTurn(await waitingWebhooks(db))) {
      const limit = slots.freeFor(webhook, performance.now())
      if (limit <= 0) continue
      const claims = await claimDeliveries(db, webhook.id, { limit, nowMs: clock(), leaseMs })
      for (const claim of claims) {
        const page = pages.get(claim.pageId) ?? readEventPage(db, { ...claim, id: claim.pageId })
        pages.set(claim.pageId, page)
        start(webhook, claim, page)
      }
      if (claims.length > 0) slots.served(webhook)
      count += claims.length
    }
    return count
  }

  function start(webhook: WaitingWebhook, claim: DeliveryClaim, page: Promise<EventPage | undefined>): void {
    const isUnderWay = underWay.has(claim.id)
    underWay.set(claim.id, claim)
    // Claimed again after its lease ran out, while the call still lasts: that call is the one that counts.
    if (isUnderWay) return
    slots.taken(webhook)
    void page
      .then((found) => send(webhook, claim, found))
      .catch((error: unknown) => {
        log.error({ err: error, delivery: claim.id }, 'a delivery could not be made')
        return { succeeded: false, error: 'The delivery could not be made.', durationMs: 0 }
      })
      .then((outcome: CallOutcome) => {
        slots.freed(webhook, { failed: !outcome.succeeded, nowMs: performance.now() })
        if (cutOff.signal.aborted) return
        stats[outcome.succeeded ? 'sent' : 'failed']++
        ended.push({ claim: underWay.get(claim.id) ?? claim, outcome })
        wake.resolve()
      })
  }

  async function send(
    webhook: WaitingWebhook,
    claim: DeliveryClaim,
    page: EventPage | undefined,
  ): Promise<CallOutcome> {
    const { firstEvent, eventCount, organizationId } = claim
    const events = (page?.events ?? []).slice(firstEvent, firstEvent + eventCount)
    const records = events.map((event, index) =>
      recordOf(event, { organizationId, id: eventId(claim.pageId, firstEvent + index) }),
    )
    const [first] = records
    if (first === undefined) return unsendable('The event is not kept any more.')
    const secrets = secretsOf(webhook)
    if (secrets.length === 0)
      return unsendable('The secret cannot be read, as SECRET of the service was changed. Rotate the secret.')
    const body = JSON.stringify(
      records.length === 1 ? first : { ...first, data: { scans: records.map(({ data }) => data) } },
    )
    const headers = {
      'content-type': 'application/json; charset=utf-8',
      'user-agent': 'Everscan-Webhooks/1',
      ...signatureHeaders(secrets, { id: first.id, body, nowMs: clock() }),
    }
    return caller.call(webhook.url, { headers, body, signal: cutOff.signal })
  }

  /** The secret, and for a day after a rotation the one before. */
  function secretsOf({ id, secret, previousSecret, previousUntilMs }: WaitingWebhook): string[] {
    const sealed = [
      secret,
      ...(previousSecret !== null && (previousUntilMs ?? 0) > clock() ? [previousSecret] : []),
    ]
    return sealed.flatMap((one) => box.open(one, id) ?? [])
  }

  async function finish(): Promise<void> {
    const untilMs = performance.now() + stopMsMax
    while (underWay.size > ended.length && performance.now() < untilMs) await sleep(gatherMs)
    cutOff.abort()
    await writeEnded().catch(() => undefined)
    await renewDeliveries(db, [...underWay.values()], null).catch(() => undefined)
    caller.close()
  }

  return { run, stats, stop: () => stopping.abort() }
}

function unsendable(error: string): CallOutcome {
  return { succeeded: false, error, durationMs: 0 }
}
