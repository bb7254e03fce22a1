import { fork } from 'node:child_process'
import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startLoad } from '@everscan/server/test/support/load.ts'
import { startService, until, type Service } from '@everscan/server/test/support/service.ts'
import { rounded } from './figures.ts'
import type { ReadersOrder, ReadersResult } from './event-readers.ts'

const codesCount = 200
const readersCount = 200
/** Readers of all codes. Each of the other readers follows one code. */
const readersOfAll = 10
const scansPerSecond = 1_000
const warmUpMs = 3_000

type Latencies = { p50Ms: number; p99Ms: number; count: number }

/**
 * Measures the delay from a scan to its event at a webhook and at 200 readers of the live stream,
 * at 1,000 scans per second. Also compares the time of redirects meanwhile with the same service
 * and scans without consumers of events. `ratio` is the ratio of the 99th percentiles of redirects.
 */
export async function benchEvents({ quick }: { quick: boolean }): Promise<object> {
  const seconds = quick ? 8 : 20
  const service = await startService({
    LOG_LEVEL: 'warn',
    RATE_LIMIT_PER_MINUTE: '0',
    TRUST_PROXY: '127.0.0.1',
    WEBHOOK_ALLOW_PRIVATE: 'true',
  })
  const receiver = await startReceiver()
  try {
    const { orgId, codes } = await createCodes(service)
    const shortCodes = codes.map(({ shortCode }) => shortCode)
    await scanFor(service, shortCodes, warmUpMs)
    const idle = await scanFor(service, shortCodes, seconds * 1000)
    console.log(`without events:      ${line(idle)}`)

    const webhook = { url: receiver.url, events: ['qr.scanned' as const], batch: true }
    await service.client().webhooks.create(orgId, webhook)
    const readers = fork(join(import.meta.dirname, 'event-readers.ts'), { stdio: 'inherit' })
    const order: ReadersOrder = {
      url: `${service.baseUrl}/api/v1/organizations/${orgId}/events?event=qr.scanned`,
      apiKey: service.apiKey,
      codes: Array.from({ length: readersCount }, (_, index) =>
        index < readersOfAll ? null : (codes[index % codesCount]?.id ?? null),
      ),
    }
    readers.send(order)
    await until(
      'all readers are connected',
      async () => (await service.metric('event_readers')) >= readersCount,
    )
    await scanFor(service, shortCodes, warmUpMs)
    const busy = await scanFor(service, shortCodes, seconds * 1000)
    console.log(`with events:         ${line(busy)}`)
    await sleep(3_000)
    readers.send('end')
    const [read] = (await once(readers, 'message')) as [ReadersResult]
    readers.kill()
    const live = percentiles(read.latenciesMs)
    const delivered = percentiles(receiver.latenciesMs)
    console.log(`live stream:         ${line(live)}`)
    console.log(`webhook:             ${line(delivered)}`)
    return {
      ratio: rounded(busy.p99Ms / idle.p99Ms),
      redirectP99Ms: { idle: rounded(idle.p99Ms), withEvents: rounded(busy.p99Ms) },
      streamP99Ms: Math.round(live.p99Ms),
      webhookP99Ms: Math.round(delivered.p99Ms),
      scans: busy.count,
      eventsRead: live.count,
      scansDelivered: delivered.count,
      readers: readersCount,
    }
  } finally {
    receiver.close()
    await service.remove()
  }
}

async function createCodes(service: Service) {
  const client = service.client()
  const [organization] = await client.organizations.listMine()
  const orgId = organization?.id ?? ''
  const data = { url: 'https://example.com/' }
  const { data: codes } = await client.batches.create(
    orgId,
    Array.from({ length: codesCount }, (_, index) => ({
      type: 'URL' as const,
      name: `Bench ${index}`,
      data,
    })),
  )
  return { orgId, codes }
}

/** Scans at the pace for `forMs`. Returns the times of the redirects. */
async function scanFor(service: Service, codes: readonly string[], forMs: number): Promise<Latencies> {
  const latenciesMs: number[] = []
  const load = startLoad({
    port: service.port,
    codes,
    scansPerSecond,
    scansMax: Math.round((forMs / 1000) * scansPerSecond),
    onAnswered: (tookMs) => latenciesMs.push(tookMs),
  })
  await load.finished
  if (load.problems.length > 0) throw new Error(`${load.problems.length} scans failed`)
  return percentiles(latenciesMs)
}

/** Starts a receiver that accepts everything and records the age of each scan. */
async function startReceiver() {
  const latenciesMs: number[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const nowMs = Date.now()
      for (const [, time = ''] of Buffer.concat(chunks)
        .toString()
        .matchAll(/"timestamp":"([^"]+)"/g))
        latenciesMs.push(nowMs - Date.parse(time))
      response.writeHead(204).end()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/`, latenciesMs, close: () => server.close() }
}

function percentiles(values: readonly number[]): Latencies {
  const sorted = Float64Array.from(values).sort()
  const at = (share: number): number => sorted[Math.floor(sorted.length * share)] ?? Number.NaN
  return { p50Ms: at(0.5), p99Ms: at(0.99), count: sorted.length }
}

function line({ p50Ms, p99Ms, count }: Latencies): string {
  return `${count} at p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms`
}
