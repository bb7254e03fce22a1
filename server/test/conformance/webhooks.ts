import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import {
  verifyWebhook,
  type Event,
  type EventName,
  type WebhookDelivery,
  type WebhookWithSecret,
} from '@everscan/client/create-client.ts'
import { createUser, saveMember } from '../../src/catalogue/accounts/users.ts'
import { startReceiver, type Receiver } from '../../src/jobs/webhooks/testing/receiver.ts'
import { until } from '../support/service.ts'
import { rejection, timestampForm, urlCode, type Installation, type Tenant } from './installation.ts'

/**
 * Webhooks and events: section 9 of the decisions. The rules about limits cover rejected addresses.
 */
export function webhookRules(of: Installation): void {
  describe('webhooks and events', () => {
    let org: Tenant
    let receiver: Receiver
    let webhook: WebhookWithSecret
    let down: Receiver
    /**
     * An organization with a webhook whose receiver is down; its failures take long, so they are
     * tested last.
     */
    let waiting: { org: Tenant; webhookId: string }
    before(async () => {
      org = await of.organization()
      receiver = await startReceiver()
      down = await startReceiver((_call, response) => response.writeHead(503).end())
      const other = await of.organization()
      const { client, orgId } = other
      const { id } = await client.webhooks.create(orgId, { url: down.url, events: ['qr.created'] })
      waiting = { org: other, webhookId: id }
      await client.batches.create(
        orgId,
        Array.from({ length: 25 }, (_, index) => urlCode(`Code ${index}`)),
      )
      webhook = await org.client.webhooks.create(org.orgId, { url: receiver.url, events: ['*'] })
    })
    after(() => Promise.all([receiver.close(), down.close()]))
    const webhooks = () => org.client.webhooks
    const received = (event: EventName, from = 0): Event[] =>
      receiver
        .events()
        .slice(from)
        .filter((one) => one.event === event)
    const arrives = async (event: EventName, from = 0): Promise<Event> => {
      await until(`a ${event} arrives`, () => received(event, from).length > 0)
      return received(event, from)[0] ?? assert.fail()
    }
    const newest = async (id: string): Promise<WebhookDelivery> =>
      (await webhooks().deliveries(org.orgId, id)).data[0] ?? assert.fail('there is no delivery')

    test('decisions 9: POST webhooks {url, events, secret?, description?} is 201 with the secret, shown only once', async () => {
      const { orgId, client } = org
      assert.match(webhook.secret, /^whsec_/)
      const secret = `whsec_${Buffer.alloc(24, 9).toString('base64')}`
      const body = { url: receiver.url, events: ['qr.deleted' as const], secret, description: 'Shop' }
      const made = await client.webhooks.create(orgId, body)
      assert.deepEqual([org.last().status, made.secret, made.description], [201, secret, 'Shop'])
      const { secret: _, ...rest } = made
      assert.deepEqual(await client.webhooks.read(orgId, made.id), rest)
      await client.webhooks.delete(orgId, made.id)
    })

    test('decisions 9: GET, PUT, DELETE webhooks', async () => {
      const { orgId, client } = org
      const { id } = await client.webhooks.create(orgId, { url: receiver.url, events: ['qr.deleted'] })
      const { data, pagination } = await client.webhooks.list(orgId)
      assert.deepEqual([data[0]?.id, pagination.total], [id, 2])
      const changed = await client.webhooks.update(orgId, id, { events: ['qr.created'], description: 'B' })
      assert.deepEqual(
        [changed.events, changed.description, changed.status],
        [['qr.created'], 'B', 'ENABLED'],
      )
      assert.deepEqual(await client.webhooks.delete(orgId, id), { id, deleted: true })
      await rejection(client.webhooks.read(orgId, id), 404, 'NOT_FOUND')
    })

    test('decisions 9: POST :id/ping', async () => {
      const from = receiver.calls.length
      const delivery = await webhooks().ping(org.orgId, webhook.id)
      assert.equal(delivery.event, 'webhook.ping')
      const ping = await arrives('webhook.ping', from)
      assert.equal(ping.id, delivery.eventId)
      assert.equal(ping.data['id'], webhook.id)
      assert.ok(!('secret' in ping.data))
    })

    test('decisions 9: POST :id/rotate-secret: both the old and the new secret sign', async () => {
      const { secret } = await webhooks().rotateSecret(org.orgId, webhook.id)
      assert.notEqual(secret, webhook.secret)
      const { eventId } = await webhooks().ping(org.orgId, webhook.id)
      // An earlier call may come once more: its sender saw no answer in time.
      const isPing = (event: Event): boolean => event.id === eventId
      await until('the ping arrives', () => receiver.events().some(isPing))
      const { headers, body } = receiver.calls[receiver.events().findIndex(isPing)] ?? assert.fail()
      for (const one of [secret, webhook.secret])
        assert.equal((await verifyWebhook(one, headers, body)).event, 'webhook.ping')
    })

    test('decisions 9: GET :id/deliveries, and POST …/:deliveryId/replay', async () => {
      const { id: pingId } = await webhooks().ping(org.orgId, webhook.id)
      await until('it was sent', async () => (await newest(webhook.id)).status === 'SUCCEEDED')
      const delivery = await newest(webhook.id)
      assert.deepEqual(
        [delivery.id, delivery.attempts, delivery.responseStatus, delivery.nextAttemptAt],
        [pingId, 1, 204, null],
      )
      assert.match(delivery.completedAt ?? '', timestampForm)
      const from = receiver.calls.length
      const again = await webhooks().replay(org.orgId, webhook.id, delivery.id)
      await arrives('webhook.ping', from)
      assert.deepEqual([again.eventId, again.id === delivery.id], [delivery.eventId, false])
      const query = { status: 'SUCCEEDED', event: 'webhook.ping', limit: 1 } as const
      const { data } = await webhooks().deliveries(org.orgId, webhook.id, query)
      assert.equal(data.length, 1)
      const none = await webhooks().deliveries(org.orgId, webhook.id, { event: 'import.failed' })
      assert.deepEqual([none.data, none.pagination.total], [[], 0])
      await rejection(webhooks().replay(org.orgId, webhook.id, 'dlv_nothing'), 404, 'NOT_FOUND')
    })

    test('decisions 9: qr.created, qr.updated, qr.archived, qr.restored, qr.deleted, with the record', async () => {
      const { orgId, client } = org
      const from = receiver.calls.length
      const code = await client.qrCodes.create(orgId, urlCode('Told'))
      assert.deepEqual((await arrives('qr.created', from)).data, code)
      await client.qrCodes.update(orgId, code.id, { name: 'Told again' })
      assert.equal((await arrives('qr.updated', from)).data['name'], 'Told again')
      await client.qrCodes.update(orgId, code.id, { status: 'ARCHIVED' })
      assert.equal((await arrives('qr.archived', from)).data['status'], 'ARCHIVED')
      await client.qrCodes.update(orgId, code.id, { status: 'ACTIVE' })
      const last = await client.qrCodes.read(orgId, code.id)
      assert.deepEqual((await arrives('qr.restored', from)).data, last)
      await client.qrCodes.delete(orgId, code.id)
      assert.deepEqual((await arrives('qr.deleted', from)).data, last)
      assert.deepEqual(received('qr.updated', from).length, 1)
    })

    test('decisions 9: qr.scanned, with the scan as in the list', async () => {
      const { orgId, client } = org
      const { id, shortCode } = await client.qrCodes.create(orgId, urlCode('Scanned'))
      const from = receiver.calls.length
      await of.scan(shortCode)
      await of.scan(shortCode, { 'user-agent': 'curl/8' })
      const scanned = await arrives('qr.scanned', from)
      const { data } = await client.scans.list(orgId, id)
      assert.deepEqual(data, [scanned.data])
      assert.deepEqual([scanned.data['isUnique'], scanned.data['country']], [true, 'DE'])
      assert.equal(scanned.createdAt, scanned.data['timestamp'])
    })

    test('decisions 9: batch calls and imports send events too: import.completed', async () => {
      const { orgId, client } = org
      const from = receiver.calls.length
      const { data } = await client.batches.create(orgId, [urlCode('One'), urlCode('Two')])
      await client.batches.delete(
        orgId,
        data.map(({ id }) => id),
      )
      const file = 'name,url\nThree,https://example.com/\nFour,nope\n'
      const { id } = await client.imports.start(orgId, { type: 'URL', file })
      const done = await arrives('import.completed', from)
      const { errors: _, errorsTruncated: __, ...job } = await client.imports.read(orgId, id)
      assert.deepEqual(done.data, job)
      await until('all arrive', () => received('qr.deleted', from).length === 2)
      await until('all arrive', () => received('qr.created', from).length === 3)
    })

    test('decisions 9: member.joined, member.role_changed, member.left', async () => {
      const { orgId, client } = org
      const from = receiver.calls.length
      const email = `${orgId}-admin@example.com`
      const admin = await createUser(of.db(), { email, name: 'Admin' })
      assert.ok(admin !== undefined)
      await saveMember(of.db(), orgId, { userId: admin.id, role: 'ADMIN' })
      const { acceptUrl } = await client.invitations.create(orgId, { email: `${orgId}@example.com` })
      const [, token = ''] = acceptUrl.split('#')
      const { member } = await client.invitations.accept({ token, name: 'Ada', password: 'a long password' })
      assert.deepEqual((await arrives('member.joined', from)).data, member)
      const changed = await client.members.update(orgId, member.id, 'EDITOR')
      assert.deepEqual((await arrives('member.role_changed', from)).data, changed)
      await client.members.remove(orgId, member.id)
      assert.deepEqual((await arrives('member.left', from)).data, changed)
    })

    test('decisions 9: payload {id, event, createdAt, organizationId, data}, signed as Standard Webhooks defines', async () => {
      const { orgId, client } = org
      const from = receiver.calls.length
      const { secret } = await client.webhooks.rotateSecret(orgId, webhook.id)
      const { id } = await client.qrCodes.create(orgId, urlCode('Signed'))
      await arrives('qr.created', from)
      const call = receiver.calls.slice(from).find(({ body }) => body.includes(id)) ?? assert.fail()
      const event = await verifyWebhook(secret, call.headers, call.body)
      assert.deepEqual(Object.keys(event), ['id', 'event', 'createdAt', 'organizationId', 'data'])
      assert.match(event.id, /^evt_[0-9a-z]{26}$/)
      assert.match(event.createdAt, timestampForm)
      assert.deepEqual([event.organizationId, call.headers['webhook-id']], [orgId, event.id])
      await assert.rejects(verifyWebhook(secret, call.headers, `${call.body} `), {
        name: 'WebhookVerificationError',
      })
    })

    test('decisions 9: retries after 5 s with jitter; Retry-After is honoured', async () => {
      const { orgId, client } = org
      const failing = await startReceiver((_call, response, count) =>
        response.writeHead(count === 1 ? 500 : 503, count === 1 ? {} : { 'retry-after': '3600' }).end('down'),
      )
      try {
        const { id } = await client.webhooks.create(orgId, { url: failing.url, events: ['qr.deleted'] })
        await client.webhooks.ping(orgId, id)
        await until('it failed', async () => (await newest(id)).attempts === 1)
        const first = await newest(id)
        const waitMs = Date.parse(first.nextAttemptAt ?? '') - (failing.calls[0]?.atMs ?? 0)
        assert.ok(waitMs >= 5_000 && waitMs < 7_500, `${waitMs} ms`)
        assert.deepEqual([first.status, first.responseStatus, first.responseBody], ['PENDING', 500, 'down'])
        assert.match(first.error ?? '', /answered 500/)
        await until('it was retried', async () => (await newest(id)).attempts === 2)
        const second = await newest(id)
        assert.ok(Date.parse(second.nextAttemptAt ?? '') >= (failing.calls[1]?.atMs ?? 0) + 3_600_000)
        assert.equal((await client.webhooks.read(orgId, id)).failuresInARow, 2)
        await client.webhooks.delete(orgId, id)
      } finally {
        await failing.close()
      }
    })

    test('decisions 9: 410 disables the webhook with a reason; PUT enables it again', async () => {
      const { orgId, client } = org
      const gone = await startReceiver((_call, response) => response.writeHead(410).end())
      try {
        const { id } = await client.webhooks.create(orgId, { url: gone.url, events: ['qr.deleted'] })
        await client.webhooks.ping(orgId, id)
        const isDisabled = async () => (await client.webhooks.read(orgId, id)).status === 'DISABLED'
        await until('it is disabled', isDisabled)
        const { disabledReason } = await client.webhooks.read(orgId, id)
        assert.match(disabledReason ?? '', /410/)
        assert.equal((await newest(id)).status, 'FAILED')
        await rejection(client.webhooks.ping(orgId, id), 409, 'CONFLICT')
        const enabled = await client.webhooks.update(orgId, id, { status: 'ENABLED' })
        assert.deepEqual(
          [enabled.status, enabled.disabledReason, enabled.failuresInARow],
          ['ENABLED', null, 0],
        )
        await client.webhooks.delete(orgId, id)
      } finally {
        await gone.close()
      }
    })

    test('decisions 9: GET events: the same events live, resumable with Last-Event-ID', async () => {
      const { orgId, client } = org
      const ending = new AbortController()
      const { signal } = ending
      const stream = client.events.stream(orgId, { event: ['qr.created'] }, { signal })
      const first = stream.next()
      const from = receiver.calls.length
      // The first event may precede the stream; it is read again below.
      const names = ['One', 'Two', 'Three']
      await until('the stream is open', async () => (await of.service().metric('event_readers')) > 0)
      for (const name of names) await client.qrCodes.create(orgId, urlCode(name))
      const seen = [(await first).value, (await stream.next()).value, (await stream.next()).value]
      assert.deepEqual(
        seen.map((event) => event?.data['name']),
        names,
      )
      await until('they arrive', () => received('qr.created', from).length === 3)
      assert.deepEqual(
        new Set(received('qr.created', from).map(({ id }) => id)),
        new Set(seen.map((event) => event?.id)),
      )
      const lastEventId = seen[0]?.id
      const resumed = client.events.stream(orgId, {}, { signal, lastEventId })
      assert.deepEqual([(await resumed.next()).value, (await resumed.next()).value], seen.slice(1))
      let gaps = 0
      const options = { signal, lastEventId: 'evt_nothing', onGap: () => gaps++ }
      const oldest = await client.events.stream(orgId, {}, options).next()
      assert.equal(gaps, 1)
      assert.ok(oldest.value !== undefined && oldest.value.id < (seen[0]?.id ?? ''))
      ending.abort()
    })

    test('decisions 9: 20 consecutive failures disable the webhook, with a reason', async () => {
      const { org: other, webhookId } = waiting
      const read = () => other.client.webhooks.read(other.orgId, webhookId)
      await until('it is disabled', async () => (await read()).status === 'DISABLED')
      const { disabledReason, failuresInARow } = await read()
      assert.match(disabledReason ?? '', /in a row failed, the last one: The receiver answered 503/)
      assert.ok(failuresInARow >= 20 && down.calls.length >= 20)
      const calls = down.calls.length
      await other.client.qrCodes.create(other.orgId, urlCode('Later'))
      await rejection(other.client.webhooks.ping(other.orgId, webhookId), 409, 'CONFLICT')
      assert.equal(down.calls.length, calls)
    })
  })
}
