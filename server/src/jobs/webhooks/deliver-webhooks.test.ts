import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import type { Event } from '@everscan/contract/resources/events.ts'
import { someOrganization, someOrigin } from '../../catalogue/testing/catalogue.ts'
import { createSecretBox } from '../../secret-box.ts'
import {
  deleteOldDeliveries,
  listDeliveries,
  pingWebhook,
  replayDelivery,
} from '../../catalogue/webhooks/deliveries.ts'
import {
  createWebhook,
  deleteWebhook,
  readWebhook,
  rotateWebhookSecret,
  updateWebhook,
} from '../../catalogue/webhooks/webhooks.ts'
import type { WebhookRow } from '../../catalogue/rows/webhook-row.ts'
import { createWebhookSecret } from '../../catalogue/webhooks/secrets.ts'
import { inTransaction, type Database } from '../../db/database.ts'
import { deleteOldPages, insertEvents, type StoredEvent } from '../../db/feeds/event-pages.ts'
import { forEachDatabase, silentLog } from '../../db/testing/databases.ts'
import { startDeliveries, type Deliveries, type DeliveryOptions } from './deliver-webhooks.ts'
import { retryMs } from './delivery-claims.ts'
import { startReceiver, type Behaviour, type Receiver } from './testing/receiver.ts'
import { createWebhookCaller } from './webhook-calls.ts'
import { Webhook } from 'standardwebhooks'

const box = createSecretBox('a secret of tests', 'webhook secrets')
const dayMs = 24 * 3_600_000
const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

const recordOf: DeliveryOptions['recordOf'] = ({ event, atMs, data }, { organizationId, id }) =>
  ({ id, event, createdAt: new Date(atMs).toISOString(), organizationId, data }) as Event

function startWorker(db: Database, options: Partial<DeliveryOptions> = {}): Deliveries {
  const caller = createWebhookCaller({ allowPrivate: true, callMsMax: 2_000 })
  const worker = startDeliveries({
    db,
    box,
    caller,
    recordOf,
    log: silentLog,
    pollMs: 5,
    pauseMsStep: 1,
    random: () => 0,
    ...options,
  })
  closing.unshift(worker.stop)
  return worker
}

async function receiver(behaviour?: Behaviour): Promise<Receiver> {
  const started = await startReceiver(behaviour)
  closing.push(started.close)
  return started
}

function someWebhook(
  db: Database,
  organizationId: string,
  {
    url,
    events = ['*'],
    batch = false,
    secret = createWebhookSecret(),
  }: {
    url: string
    events?: string[]
    batch?: boolean
    secret?: string
  },
): Promise<WebhookRow> {
  const fields = { url, events, batch, secret, description: '', box, origin: someOrigin, nowMs: Date.now() }
  return createWebhook(db, organizationId, fields)
}

const scan = (number: number): StoredEvent => ({
  event: 'qr.scanned',
  atMs: number,
  qrCodeId: 'qr_1',
  data: { number },
})
const created = (number: number): StoredEvent => ({
  event: 'qr.created',
  atMs: number,
  qrCodeId: 'qr_1',
  data: { number },
})

function happen(db: Database, organizationId: string, events: readonly StoredEvent[]): Promise<string[]> {
  return inTransaction(db, (tx) => insertEvents(tx, organizationId, { events, nowMs: Date.now() }))
}

async function until(isTrue: () => boolean | Promise<boolean>, limitMs = 15_000): Promise<void> {
  for (
    const endMs = Date.now() + limitMs;
    !(await isTrue());
    await new Promise((resolve) => setTimeout(resolve, 5))
  )
    if (Date.now() > endMs) throw new Error(`not within ${limitMs} ms: ${isTrue.toString()}`)
}

/**
 * Returns the numbers that a receiver got, each once: a call whose answer arrives late on a busy
 * machine is repeated.
 */
const numbersOf = (of: Receiver): number[] => [
  ...new Set(
    of.events().flatMap(({ data }) => {
      const scans = data['scans'] as { number: number }[] | undefined
      return scans === undefined ? [Number(data['number'])] : scans.map(({ number }) => number)
    }),
  ),
]
const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1)
const page = { page: 1, limit: 100 }

forEachDatabase('deliveries', (open) => {
  async function start() {
    const db = await open()
    const { id: organizationId } = await someOrganization(db)
    return {
      db,
      organizationId,
      all: async (id: string) => (await listDeliveries(db, { organizationId, id }, page))?.rows ?? [],
    }
  }

  test('each webhook gets what it takes, signed; scans together where they are wanted so', async () => {
    const { db, organizationId, all } = await start()
    const [everything, codes, together] = [await receiver(), await receiver(), await receiver()]
    const secret = createWebhookSecret()
    const first = await someWebhook(db, organizationId, { url: everything.url, secret })
    await someWebhook(db, organizationId, { url: codes.url, events: ['qr.created', 'qr.deleted'] })
    await someWebhook(db, organizationId, { url: together.url, events: ['qr.scanned'], batch: true })
    const { id: foreign } = await someOrganization(db, 'Other')
    await someWebhook(db, foreign, { url: together.url })
    startWorker(db)
    await happen(db, organizationId, [...upTo(150).map(scan), created(151), scan(152)])
    await until(
      () =>
        numbersOf(everything).length >= 152 &&
        numbersOf(codes).length >= 1 &&
        numbersOf(together).length >= 151,
    )
    assert.deepEqual(
      numbersOf(everything).sort((a, b) => a - b),
      upTo(152),
    )
    assert.deepEqual(numbersOf(codes), [151])
    assert.deepEqual(
      together
        .events()
        .map(({ data }) => (data['scans'] as object[] | undefined)?.length ?? 1)
        .sort((a, b) => b - a),
      [100, 50, 1],
    )
    for (const { headers, body } of everything.calls) {
      assert.deepEqual(new Webhook(secret).verify(body, headers as Record<string, string>), JSON.parse(body))
      assert.equal(headers['webhook-id'], (JSON.parse(body) as Event).id)
    }
    await until(async () => (await readWebhook(db, first))?.lastDeliveryAtMs !== null)
    await until(async () => (await all(first.id)).every(({ status }) => status === 'SUCCEEDED'))
    const [row] = await all(first.id)
    assert.deepEqual(
      [row?.attempts, row?.responseStatus, row?.error, row?.nextAttemptAtMs],
      [1, 204, null, null],
    )
    assert.ok(everything.atOnceMax() <= 4, `${everything.atOnceMax()} calls at a time`)
  })

  test('after a rotation both secrets sign, for a day', async () => {
    const { db, organizationId } = await start()
    const to = await receiver()
    const [old, fresh] = [createWebhookSecret(), createWebhookSecret()]
    const webhook = await someWebhook(db, organizationId, { url: to.url, secret: old })
    let aheadMs = 0
    startWorker(db, { clock: () => Date.now() + aheadMs })
    await rotateWebhookSecret(db, webhook, { secret: fresh, box, origin: someOrigin, nowMs: Date.now() })
    await pingWebhook(db, webhook, Date.now())
    await until(() => to.calls.length === 1)
    aheadMs = dayMs + 1_000
    await pingWebhook(db, webhook, Date.now())
    await until(() => to.calls.length === 2)
    const signatures = to.calls.map(({ headers }) => String(headers['webhook-signature']).split(' ').length)
    assert.deepEqual(signatures, [2, 1])
    const [first, second] = to.calls.map(({ headers, body }) => ({
      headers: headers as Record<string, string>,
      body,
    }))
    assert.ok(first !== undefined && second !== undefined)
    for (const secret of [old, fresh]) new Webhook(secret).verify(first.body, first.headers)
    assert.equal(to.events()[0]?.event, 'webhook.ping')
  })

  test('what fails is tried again as the schedule says, and given up after the last time', async () => {
    const { db, organizationId, all } = await start()
    const to = await receiver((_call, response) => response.writeHead(500).end('down'))
    const webhook = await someWebhook(db, organizationId, { url: to.url })
    let nowMs = Date.now()
    startWorker(db, { clock: () => nowMs })
    await pingWebhook(db, webhook, nowMs)
    for (const [attempt, waitS] of [5, 60, 600, 3_600, 21_600, 86_400].entries()) {
      await until(async () => (await all(webhook.id))[0]?.attempts === attempt + 1)
      const [row] = await all(webhook.id)
      assert.equal(row?.nextAttemptAtMs, nowMs + waitS * 1_000)
      assert.deepEqual([row.status, row.responseStatus, row.responseBody], ['PENDING', 500, 'down'])
      nowMs += waitS * 1_000
    }
    await until(async () => (await all(webhook.id))[0]?.status === 'FAILED')
    const [row] = await all(webhook.id)
    assert.deepEqual([row?.attempts, row?.nextAttemptAtMs, row?.completedAtMs], [7, null, nowMs])
    assert.equal(new Set(to.calls.map(({ headers }) => headers['webhook-id'])).size, 1)
    assert.equal((await readWebhook(db, webhook))?.failuresInARow, 7)
    to.behave(undefined)
    const again = await replayDelivery(db, webhook, { deliveryId: row?.id ?? '', nowMs })
    await until(async () => (await all(webhook.id))[0]?.status === 'SUCCEEDED')
    assert.notEqual(again?.id, row?.id)
    assert.equal(to.calls.at(-1)?.headers['webhook-id'], row?.eventId)
    assert.equal((await readWebhook(db, webhook))?.failuresInARow, 0)
  })

  test('410 disables at once; 20 failures in a row do; what waits comes when it is enabled again', async () => {
    const { db, organizationId, all } = await start()
    const gone = await receiver((_call, response) => response.writeHead(410).end())
    const down = await receiver((_call, response) => response.writeHead(503).end())
    const one = await someWebhook(db, organizationId, { url: gone.url, events: ['qr.deleted'] })
    const two = await someWebhook(db, organizationId, { url: down.url, events: ['qr.created'] })
    let aheadMs = 0
    const worker = startWorker(db, { clock: () => Date.now() + aheadMs })
    await pingWebhook(db, one, Date.now())
    await until(async () => (await readWebhook(db, one))?.status === 'DISABLED')
    assert.match((await readWebhook(db, one))?.disabledReason ?? '', /410/)
    assert.equal((await all(one.id))[0]?.status, 'FAILED')

    await happen(db, organizationId, upTo(30).map(created))
    await until(async () => (await readWebhook(db, two))?.status === 'DISABLED', 30_000)
    const disabled = await readWebhook(db, two)
    assert.ok((disabled?.failuresInARow ?? 0) >= 20 && (disabled?.failuresInARow ?? 0) <= 23)
    assert.match(disabled?.disabledReason ?? '', /in a row failed, the last one: The receiver answered 503/)
    const [failed] = (await all(two.id)).filter(({ error }) => error !== null)
    const answered = { problem: 'receiverAnswered', values: { status: 503 } }
    assert.deepEqual([failed?.problem, failed?.values], Object.values(answered))
    assert.deepEqual(
      [disabled?.problem, { ...disabled?.values, calls: 20 }],
      ['callsFailed', { calls: 20, last: answered.problem, ...answered.values }],
    )
    const calls = down.calls.length
    // A disabled webhook gets nothing, and nothing is kept for it either.
    await happen(db, organizationId, [created(31)])
    await assert.rejects(pingWebhook(db, two, Date.now()), { status: 409 })
    aheadMs = 60_000
    await new Promise((resolve) => setTimeout(resolve, 100))
    assert.equal(down.calls.length, calls)
    down.behave(undefined)
    await updateWebhook(db, two, { status: 'ENABLED', origin: someOrigin, nowMs: Date.now() })
    await until(async () => (await all(two.id)).every(({ status }) => status === 'SUCCEEDED'))
    const received = down.calls
      .slice(calls)
      .map(({ body }) => Number((JSON.parse(body) as Event).data['number']))
    assert.deepEqual(
      received.sort((a, b) => a - b),
      upTo(30),
    )
    assert.equal(worker.stats.disabled, 2)
    const log = await db.kysely
      .selectFrom('audit_log')
      .select(['action', 'actor_kind'])
      .where('action', '=', 'webhook.update')
      .execute()
    assert.deepEqual(log.map(({ actor_kind: kind }) => kind).sort(), ['api-key', 'system', 'system'])
  })

  test('receivers that hang and a backlog of thousands hold nobody up', async (t) => {
    const { db, organizationId } = await start()
    const dead = await receiver(() => undefined)
    const busy = await receiver()
    const good = await receiver()
    for (let count = 0; count < 20; count++) {
      await someWebhook(db, organizationId, { url: dead.url })
    }
    const { id: importing } = await someOrganization(db, 'Importing')
    await someWebhook(db, importing, { url: busy.url })
    const { id: other } = await someOrganization(db, 'Other')
    await someWebhook(db, other, { url: good.url })
    startWorker(db)
    await happen(db, organizationId, upTo(5).map(created))
    await until(() => dead.atOnceMax() >= 16)
    await happen(db, importing, upTo(3_000).map(created))
    const latencies: number[] = []
    for (let number = 1; number <= 20; number++) {
      const fromMs = performance.now()
      await happen(db, other, [created(number)])
      await until(() => good.calls.length === number)
      latencies.push(performance.now() - fromMs)
    }
    const slowestMs = Math.round(Math.max(...latencies))
    t.diagnostic(`beside 20 receivers that hang and 3,000 events of another: ${slowestMs} ms at most`)
    assert.ok(slowestMs < 2_000, `${slowestMs} ms`)
    assert.ok(dead.atOnceMax() <= 16, `${dead.atOnceMax()} calls hang`)
    assert.ok(busy.calls.length > 0 && busy.atOnceMax() <= 4)
  })

  test('two workers bring each event once; what a dead one held comes when its lease ends', async () => {
    const { db, organizationId } = await start()
    const to = await receiver((_call, response) => void setTimeout(() => response.writeHead(204).end(), 2))
    const { id } = await someWebhook(db, organizationId, { url: to.url })
    await happen(db, organizationId, upTo(300).map(created))
    startWorker(db)
    startWorker(await open({ same: db }))
    await until(() => to.calls.length >= 300)
    await until(
      async () =>
        (
          await db.kysely
            .selectFrom('webhook_deliveries')
            .select('id')
            .where('status', '=', 'PENDING')
            .execute()
        ).length === 0,
    )
    assert.deepEqual(
      numbersOf(to).sort((a, b) => a - b),
      upTo(300),
    )
    // As if a worker had died with the delivery.
    await pingWebhook(db, { organizationId, id }, Date.now())
    await until(() => to.calls.length === 301)
  })

  test('a lease that was lost is not written over, and a call that outlives it is made once', async () => {
    const { db, organizationId, all } = await start()
    const to = await receiver(
      (_call, response) => void setTimeout(() => response.writeHead(204).end(), 1_200),
    )
    const webhook = await someWebhook(db, organizationId, { url: to.url })
    startWorker(db, { leaseMs: 400 })
    startWorker(await open({ same: db }), { leaseMs: 400 })
    await pingWebhook(db, webhook, Date.now())
    await until(async () => (await all(webhook.id))[0]?.status === 'SUCCEEDED')
    assert.equal(to.calls.length, 1)
    assert.equal((await all(webhook.id))[0]?.attempts, 1)
  })

  test('a webhook that is deleted gets no more; its deliveries go, and old ones and their events too', async () => {
    const { db, organizationId, all } = await start()
    const to = await receiver()
    const webhook = await someWebhook(db, organizationId, { url: to.url })
    const other = await someWebhook(db, organizationId, { url: to.url })
    const worker = startWorker(db)
    await happen(db, organizationId, upTo(3).map(created))
    await until(() => to.calls.length === 6)
    await until(async () => (await all(other.id)).every(({ status }) => status === 'SUCCEEDED'))
    await worker.stop()
    await pingWebhook(db, webhook, Date.now())
    await deleteWebhook(db, webhook, { origin: someOrigin, nowMs: Date.now() })
    assert.equal((await db.kysely.selectFrom('webhook_deliveries').selectAll().execute()).length, 3)
    startWorker(db)
    await happen(db, organizationId, [created(4)])
    await until(() => to.calls.length === 7)
    await until(async () => (await all(other.id)).every(({ status }) => status === 'SUCCEEDED'))

    assert.equal(await deleteOldDeliveries(db, Date.now() - dayMs), 0)
    // Pages of events from which a delivery can be replayed are kept, as is the newest page.
    assert.equal(await deleteOldPages(db, Date.now() + 2 * dayMs), 1)
    assert.equal(await deleteOldDeliveries(db, Date.now() + 1), 4)
    assert.equal(await deleteOldPages(db, Date.now() + 2 * dayMs), 1)
    assert.equal((await db.kysely.selectFrom('event_pages').selectAll().execute()).length, 1)
  })

  test('a secret that cannot be opened is said, and sends nothing', async () => {
    const { db, organizationId, all } = await start()
    const to = await receiver()
    const webhook = await someWebhook(db, organizationId, { url: to.url })
    startWorker(db, { box: createSecretBox('another installation', 'webhook secrets') })
    await pingWebhook(db, webhook, Date.now())
    await until(async () => (await all(webhook.id))[0]?.attempts === 1)
    assert.match((await all(webhook.id))[0]?.error ?? '', /Rotate the secret/)
    assert.equal(to.calls.length, 0)
  })
})

test('the schedule: with jitter up to a fifth, Retry-After where it is longer', () => {
  const seconds = [5, 60, 600, 3_600, 21_600, 86_400]
  for (const [index, wait] of seconds.entries()) {
    assert.equal(
      retryMs(index + 1, {}, () => 0),
      wait * 1_000,
    )
    assert.equal(
      retryMs(index + 1, {}, () => 0.5),
      wait * 1_100,
    )
    assert.equal(
      retryMs(index + 1, { retryAfterMs: 100_000_000 }, () => 0.5),
      100_000_000 > wait * 1_100 ? 100_000_000 : wait * 1_100,
    )
  }
  assert.equal(
    retryMs(7, {}, () => 0),
    undefined,
  )
})
