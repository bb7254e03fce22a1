// Left to the soak: `api/events` has streams, `jobs/webhooks/delivery-kills` kills.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { Client, Event, EventStreamQuery } from '@everscan/client/create-client.ts'
import { testPostgres } from '../../src/db/testing/databases.ts'
import { startReceiver, type Receiver } from '../../src/jobs/webhooks/testing/receiver.ts'
import { createCodes, type Codes } from '../support/accounts.ts'
import { startLoad } from '../support/load.ts'
import { startService, until, type Service } from '../support/service.ts'

const isSoak = process.env['SOAK'] === '1'
const kills = isSoak ? 300 : 2
const readersCount = isSoak ? 20 : 8

const catalogues = [
  { name: 'SQLite, two APIs', env: async () => ({ API_PROCESSES: '2' }) },
  {
    name: 'PostgreSQL, two fronts and two APIs',
    env: async () => ({
      DATABASE_URL: await (await testPostgres()).createDatabase(),
      FRONT_PROCESSES: '2',
      API_PROCESSES: '2',
    }),
  },
]

const scansOf = (events: readonly Event[]) =>
  events.flatMap(({ event, data }) => (event === 'qr.scanned' ? String(data['id']) : []))
const changesOf = (events: readonly Event[]) =>
  events.flatMap(({ event, data }) => (event === 'qr.created' ? `${event} ${String(data['id'])}` : []))
const deliveredTo = (receiver: Receiver): Event[] =>
  receiver.events().flatMap((event): Event[] => {
    const scans = event.data['scans'] as Event['data'][] | undefined
    return scans?.map((data) => ({ ...event, data })) ?? [event]
  })
const idsOf = (events: readonly Event[]) => events.map(({ id }) => id)

// Events are read and written on both catalogues in events.test.ts; here in the soak.
for (const { name, env } of isSoak ? catalogues : catalogues.slice(1))
  describe(`events of a whole service: ${name}`, () => {
    let service: Service
    let client: Client
    let of: Codes
    let receiver: Receiver
    before(async () => {
      const settings = { TRUST_PROXY: '127.0.0.1', RATE_LIMIT_PER_MINUTE: '0', WEBHOOK_ALLOW_PRIVATE: 'true' }
      service = await startService({ ...(await env()), ...settings })
      of = await createCodes(service, 4)
      // Retries often, because parts of the service are being killed.
      client = service.client({ retries: 10 })
      receiver = await startReceiver()
      const { url } = receiver
      await client.webhooks.create(of.orgId, { url, events: ['qr.scanned'], batch: true })
      await client.webhooks.create(of.orgId, { url, events: ['qr.created', 'qr.deleted'] })
    })
    const readings = new Set<() => Promise<void>>()
    after(async () => {
      for (const end of readings) await end()
      await receiver.close()
      await service.remove()
    })

    /** Reads until it is ended, and collects the received events in order. */
    function read(query: EventStreamQuery = {}): { events: Event[]; end: () => Promise<void> } {
      const events: Event[] = []
      const ending = new AbortController()
      const { signal } = ending
      const reading = (async () => {
        try {
          for await (const event of client.events.stream(of.orgId, query, { signal })) events.push(event)
        } catch (error) {
          if (!signal.aborted) throw error
        }
      })()
      const end = async (): Promise<void> => {
        ending.abort()
        await reading
      }
      readings.add(end)
      return { events, end }
    }
    const open = async (count: number): Promise<void> => {
      await until('the streams are open', async () => (await service.metric('event_readers')) >= count)
    }

    test(`${readersCount} readers and a webhook receive every scan and change while api and worker are killed`, async (t) => {
      const all = Array.from({ length: readersCount }, () => read())
      const first = of.codes[0]?.id ?? ''
      const ofFirst = read({ event: ['qr.scanned'], qrCodeId: [first] })
      await open(readersCount + 1)
      const load = startLoad({
        port: service.port,
        codes: of.codes.map(({ shortCode }) => shortCode),
        scansPerSecond: 100,
      })
      t.after(() => load.stop())
      const changes: string[] = []
      for (let kill = 0; kill < kills; kill++) {
        for (let count = 0; count < 5; count++) {
          // Repeated after a 503 of an unavailable API: the key keeps it one code.
          const options = { idempotencyKey: `${kill}-${count}` }
          const body = { type: 'URL', name: 'Told', data: { url: 'https://example.com/' } } as const
          const { id } = await client.qrCodes.create(of.orgId, body, options)
          changes.push(`qr.created ${id}`)
        }
        const scans = load.total().acknowledged
        await until('there are scans', () => load.total().acknowledged > scans + 50)
        service.signal([kill % 2 === 0 ? 'api' : 'worker'], 'SIGKILL')
        await service.waitUntilReady()
      }
      await load.stop()
      const { acknowledged } = load.total()
      const limitMs = 60_000
      const has = (events: readonly Event[]): boolean =>
        new Set(scansOf(events)).size >= acknowledged && new Set(changesOf(events)).size >= changes.length
      await until('all arrived by webhook', () => has(deliveredTo(receiver)), limitMs)
      for (const reader of all) await until('all arrived live', () => has(reader.events), limitMs)
      const [one, ...others] = all
      for (const { events } of others) assert.deepEqual(idsOf(events), idsOf(one?.events ?? []))
      const live = one?.events ?? []
      assert.equal(new Set(idsOf(live)).size, live.length, 'no live event arrived twice')
      assert.deepEqual(new Set(changesOf(live)), new Set(changes))
      assert.deepEqual(new Set(changesOf(deliveredTo(receiver))), new Set(changes))
      assert.deepEqual(new Set(scansOf(deliveredTo(receiver))), new Set(scansOf(live)))
      assert.deepEqual(
        idsOf(ofFirst.events),
        idsOf(live.filter(({ event, data }) => event === 'qr.scanned' && data['qrCodeId'] === first)),
      )
      t.diagnostic(
        `${kills} kills: ${acknowledged} scans and ${changes.length} changes, each by webhook and to ${readersCount} readers`,
      )
      await Promise.all([...all, ofFirst].map(({ end }) => end()))
    })

    test('a stop ends streams at once and in order; readers resume where they were after the restart', async () => {
      const reader = read()
      await open(1)
      const raw = await fetch(`${service.baseUrl}/api/v1/organizations/${of.orgId}/events`, {
        headers: { 'x-api-key': service.apiKey, 'accept-encoding': 'gzip, br' },
      })
      assert.deepEqual(
        ['content-type', 'content-encoding', 'cache-control'].map((header) => raw.headers.get(header)),
        ['text/event-stream; charset=utf-8', null, 'no-store'],
      )
      const body = raw.text()
      await open(2)
      const fromMs = performance.now()
      assert.equal(await service.stop(), 0)
      const stopMs = performance.now() - fromMs
      // A regular end: a broken connection would reject.
      assert.match(await body, /^retry: 2000\n: connected\n\n/)
      assert.ok(stopMs < 5_000, `${stopMs} ms`)
      service.launch()
      await service.waitUntilReady()
      const { id } = await client.qrCodes.create(of.orgId, {
        type: 'URL',
        name: 'After',
        data: { url: 'https://example.com/' },
      })
      await until('the stream resumes', () => reader.events.some(({ data }) => data['id'] === id))
      await reader.end()
    })

    test('no log or file contains the secret of a webhook', async () => {
      const { secret, id } = await client.webhooks.create(of.orgId, { url: receiver.url, events: ['*'] })
      await client.webhooks.ping(of.orgId, id)
      const isSent = async () =>
        (await client.webhooks.deliveries(of.orgId, id)).data[0]?.status === 'SUCCEEDED'
      await until('it was sent', isSent)
      const canaries = [secret.slice(6, 40), Buffer.from(secret.slice(6), 'base64').toString('hex')]
      for (const canary of canaries) {
        assert.ok(!service.output().includes(canary))
        for (const file of filesBelow(service.dataDir)) assert.ok(!file.text.includes(canary), file.path)
      }
    })
  })

function filesBelow(dir: string): { path: string; text: string }[] {
  return readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .map((path) => ({ path, text: readFileSync(path, 'latin1') }))
}
