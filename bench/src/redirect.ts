import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createClient, type CreateQrCodeOf } from '@everscan/client/create-client.ts'
import { startService, type Service } from '@everscan/server/test/service.ts'
import { cpuMs, lowerPriority, pinToCore, raisePriority } from './cores.ts'
import { median, rounded } from './figures.ts'
import type { LoadResult } from './load.ts'
import { phoneHeads, redirects, runLoad } from './run-load.ts'

const codes = 200
const connections = 64
/** The server under test alone on one core; the generator and the rest of the service on the other. */
const serverCore = 0
const otherCore = 1
/** A page costs so many times a redirect at most. */
const pageRatioMax = 3

type Round = LoadResult & { cpuUsPerRequest: number }

/**
 * `front` with the journal on and the codes in memory, against a bare `node:http` server with a constant 302, in turn on the
 * same core. Ratios are ours to the baseline's: of requests a second, of the 99th percentile, of processor time a request.
 * `page` is a landing page instead of a redirect, on the same `front`: how many times a redirect's processor time and
 * 99th percentile, and the most of either that was promised.
 */
export async function benchRedirect({ quick }: { quick: boolean }): Promise<object> {
  const rounds = quick ? 5 : 11
  const seconds = quick ? 2 : 4
  return withServers(async ({ measure, pinned }) => {
    const results: { ours: Round; baseline: Round; page: Round }[] = []
    for (const side of ['baseline', 'ours', 'page'] as const) await measure(side, 1)
    for (let round = 0; round < rounds; round++) {
      const pair = {
        baseline: await measure('baseline', seconds),
        ours: await measure('ours', seconds),
        page: await measure('page', seconds),
      }
      results.push(pair)
      for (const [name, one] of Object.entries(pair)) console.log(line(`${round + 1} ${name}`, one))
    }
    const ratioOf = (pick: (round: Round) => number): number =>
      median(results.map((pair) => pick(pair.ours) / pick(pair.baseline)))
    const pageRatioOf = (pick: (round: Round) => number): number =>
      rounded(median(results.map((pair) => pick(pair.page) / pick(pair.ours))))
    return {
      ratio: rounded(ratioOf((round) => round.requestsPerSecond)),
      p99Ratio: rounded(ratioOf((round) => round.p99Ms)),
      cpuRatio: rounded(ratioOf((round) => round.cpuUsPerRequest)),
      requestsPerSecond: Math.round(median(results.map((pair) => pair.ours.requestsPerSecond))),
      baselineRequestsPerSecond: Math.round(median(results.map((pair) => pair.baseline.requestsPerSecond))),
      page: {
        cpuRatio: pageRatioOf((round) => round.cpuUsPerRequest),
        p99Ratio: pageRatioOf((round) => round.p99Ms),
        ratioMax: pageRatioMax,
        requestsPerSecond: Math.round(median(results.map((pair) => pair.page.requestsPerSecond))),
      },
      errors: results.reduce(
        (sum, { ours: a, baseline: b, page: c }) => sum + a.errors + b.errors + c.errors,
        0,
      ),
      rounds,
      pinned,
    }
  })
}

type Servers = {
  measure: (side: 'ours' | 'baseline' | 'page', seconds: number) => Promise<Round>
  pinned: boolean
}

/** A service and the bare server, both on the same core, and what measures either. */
export async function withServers<T>(work: (servers: Servers) => Promise<T>): Promise<T> {
  const service = await startService({ LOG_LEVEL: 'warn', RATE_LIMIT_PER_MINUTE: '0' })
  const bare = fork(join(import.meta.dirname, 'bare-http.ts'), { stdio: 'inherit' })
  try {
    const [barePort] = (await once(bare, 'message')) as [number]
    const frontPid = service.pids('front')[0] ?? 0
    const paths = await createCodes(service, 'redirect')
    const ours = { port: service.port, pid: frontPid, paths }
    const sides = {
      ours,
      baseline: { port: barePort, pid: bare.pid ?? 0, paths },
      page: { ...ours, paths: await createCodes(service, 'page'), shows: 'page' } as const,
    }
    const pinned = place(service, bare, frontPid)
    return await work({ measure: (side, seconds) => measureServer(sides[side], seconds), pinned })
  } finally {
    bare.disconnect()
    await service.remove()
  }
}

type Content = Omit<CreateQrCodeOf<'URL' | 'WIFI' | 'VCARD' | 'TEXT' | 'MENU'>, 'name'>
const redirect: Content = { type: 'URL', data: { url: 'https://example.com/menu' } }
const pages: readonly Content[] = [
  { type: 'WIFI', data: { ssid: 'Guests', password: 'welcome-2026' } },
  { type: 'VCARD', data: { firstName: 'Ada', lastName: 'Lovelace', phone: '+44 20 7946 0000' } },
  { type: 'TEXT', data: { text: 'The meeting is in room 12.' } },
  {
    type: 'MENU',
    data: {
      title: 'Trattoria',
      sections: [{ name: 'Pasta', items: [{ name: 'Cacio e pepe', price: 12.5, currency: 'EUR' }] }],
    },
  },
]

/** As many codes of four types that show a page, or that redirect. */
async function createCodes(service: Service, answer: 'redirect' | 'page'): Promise<string[]> {
  const client = createClient({ baseUrl: service.baseUrl, apiKey: service.apiKey })
  const [organization] = await client.organizations.listMine()
  if (organization === undefined) throw new Error('the service has no organization')
  const { data } = await client.batches.create(
    organization.id,
    Array.from({ length: codes }, (_, i) => {
      const content = answer === 'redirect' ? redirect : pages[i % pages.length]
      return { name: `Bench ${i}`, ...(content ?? redirect) } as CreateQrCodeOf<'URL'>
    }),
  )
  return data.map((code) => `/${code.shortCode}`)
}

function place(service: Service, bare: ChildProcess, frontPid: number): boolean {
  const others = ['api', 'worker', 'engine'].flatMap((role) => service.pids(role))
  for (const pid of others) lowerPriority(pid)
  // Both before other work on the machine, where that is permitted.
  for (const pid of [frontPid, bare.pid ?? 0]) raisePriority(pid)
  return [
    ...others.map((pid) => pinToCore(pid, otherCore)),
    pinToCore(frontPid, serverCore),
    pinToCore(bare.pid ?? 0, serverCore),
    pinToCore(process.pid, otherCore),
  ].every(Boolean)
}

async function measureServer(
  server: { port: number; pid: number; paths: string[]; shows?: 'page' },
  seconds: number,
): Promise<Round> {
  // What the round before left to be ingested or collected is not this round's.
  await sleep(100)
  const beforeMs = cpuMs(server.pid)
  const answers = server.shows === 'page' ? { expect: 'HTTP/1.1 200 ', expectEnd: '</html>' } : redirects
  const result = await runLoad(
    { to: { port: server.port }, connections, seconds, paths: server.paths, heads: phoneHeads, ...answers },
    { core: otherCore, first: true },
  )
  return { ...result, cpuUsPerRequest: ((cpuMs(server.pid) - beforeMs) * 1000) / result.requests }
}

function line(name: string, round: Round): string {
  const { requestsPerSecond, p50Ms, p99Ms, cpuUsPerRequest, errors } = round
  return `${name.padEnd(12)} ${Math.round(requestsPerSecond)} requests/s, p50 ${p50Ms.toFixed(2)} ms, p99 ${p99Ms.toFixed(2)} ms, ${cpuUsPerRequest.toFixed(2)} µs CPU a request, ${errors} errors`
}
