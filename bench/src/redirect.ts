import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createClient, type CreateQrCodeOf } from '@everscan/client/create-client.ts'
import { startService, type Service } from '@everscan/server/test/support/service.ts'
import { cpuMs, lowerPriority, pinToCore, raisePriority } from './cores.ts'
import { median, rounded } from './figures.ts'
import type { LoadResult } from './load.ts'
import { phoneHeads, redirects, runLoad } from './run-load.ts'

const codes = 200
const connections = 64
/** The server under test has one core alone. Generator and other processes use the other core. */
const serverCore = 0
const otherCore = 1
/** The maximum cost of a page, relative to a redirect. */
const pageRatioMax = 3

type Round = LoadResult & { cpuUsPerRequest: number }

/**
 * Compares `front`, with the journal on and the codes in memory, with a bare `node:http` server
 * with a constant 302, in turn on the same core. Ratios are ours divided by the baseline's:
 * requests per second, 99th percentile, processor time per request. `page` is a landing page
 * instead of a redirect on the same `front`: its processor time and 99th percentile relative to a
 * redirect, and the maximum aim. `besideIngest` is the redirect again while the rest of the service
 * ingests the scans on the generator's core, which includes the time that the generator waits for
 * it.
 */
export async function benchRedirect({ quick }: { quick: boolean }): Promise<object> {
  // Many short rounds instead of few long ones: the load of the machine changes by the second.
  const rounds = quick ? 7 : 25
  const roundsBesideIngest = quick ? 3 : 9
  const seconds = quick ? 1 : 2
  return withServers(async ({ measure, pinned }) => {
    const measureSides = async <S extends Side>(
      number: number,
      sides: readonly S[],
    ): Promise<Record<S, Round>> => {
      const of: Partial<Record<S, Round>> = {}
      // Alternate the order, because a side may affect the next one.
      for (const side of number % 2 === 0 ? sides : sides.toReversed()) {
        of[side] = await measure(side, seconds)
        console.log(line(`${number} ${side}`, of[side]))
      }
      return of as Record<S, Round>
    }
    for (const side of ['baseline', 'ours', 'page'] as const) await measure(side, 1)
    const alone = []
    for (let round = 1; round <= rounds; round++)
      alone.push(await measureSides(round, ['baseline', 'ours', 'page']))
    const beside = []
    for (let round = 1; round <= roundsBesideIngest; round++)
      beside.push(await measureSides(round, ['baseline', 'besideIngest']))
    const figures = alone.map(({ ours, baseline }) => ratiosOf(ours, baseline))
    const figuresOfPage = alone.map(({ ours, page }) => ratiosOf(page, ours))
    const figuresBeside = beside.map(({ besideIngest, baseline }) => ratiosOf(besideIngest, baseline))
    const errors = [...alone, ...beside].flatMap((of) => Object.values(of).map((round) => round.errors))
    return {
      ...mediansOf(figures, ['ratio', 'p99Ratio', 'cpuRatio']),
      requestsPerSecond: Math.round(median(alone.map(({ ours }) => ours.requestsPerSecond))),
      baselineRequestsPerSecond: Math.round(median(alone.map(({ baseline }) => baseline.requestsPerSecond))),
      page: {
        ...mediansOf(figuresOfPage, ['p99Ratio', 'cpuRatio']),
        ratioMax: pageRatioMax,
        requestsPerSecond: Math.round(median(alone.map(({ page }) => page.requestsPerSecond))),
      },
      besideIngest: mediansOf(figuresBeside, ['ratio', 'p99Ratio', 'cpuRatio']),
      errors: errors.reduce((sum, one) => sum + one, 0),
      rounds,
      pinned,
    }
  })
}

type Ratios = { ratio: number; p99Ratio: number; cpuRatio: number }

function ratiosOf(of: Round, to: Round): Ratios {
  return {
    ratio: of.requestsPerSecond / to.requestsPerSecond,
    p99Ratio: of.p99Ms / to.p99Ms,
    cpuRatio: of.cpuUsPerRequest / to.cpuUsPerRequest,
  }
}

function mediansOf(rounds: readonly Ratios[], names: readonly (keyof Ratios)[]): Partial<Ratios> {
  return Object.fromEntries(names.map((name) => [name, rounded(median(rounds.map((round) => round[name])))]))
}

type Side = 'ours' | 'baseline' | 'page' | 'besideIngest'
type Servers = {
  measure: (side: Side, seconds: number) => Promise<Round>
  pinned: boolean
}

/** Starts a service and the bare server on the same core, and the means to measure either. */
export async function withServers<T>(work: (servers: Servers) => Promise<T>): Promise<T> {
  const service = await startService({ LOG_LEVEL: 'warn', RATE_LIMIT_PER_MINUTE: '0' })
  const bare = fork(join(import.meta.dirname, 'bare-http.ts'), { stdio: 'inherit' })
  /** Includes `main`, which would end processes that it doesn't hear from for 10 s. */
  let ingestPids: number[] = []
  try {
    const [barePort] = (await once(bare, 'message')) as [number]
    const frontPid = service.pids('front')[0] ?? 0
    ingestPids = ['main', 'worker', 'engine'].flatMap((role) => service.pids(role))
    const paths = await createCodes(service, 'redirect')
    const ours = { port: service.port, pid: frontPid, paths }
    const sides: Record<Side, Measured> = {
      ours,
      baseline: { port: barePort, pid: bare.pid ?? 0, paths },
      page: { ...ours, paths: await createCodes(service, 'page'), shows: 'page' },
      besideIngest: ours,
    }
    const pinned = place(service, bare, frontPid)
    return await work({
      pinned,
      measure: async (side, seconds) => {
        // The generator needs its core, like a real client, so ingest pauses. Ingest has its own
        // bench.
        signal(ingestPids, side === 'besideIngest' ? 'SIGCONT' : 'SIGSTOP')
        return measureServer(sides[side], seconds)
      },
    })
  } finally {
    signal(ingestPids, 'SIGCONT')
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

/** Creates `codes` codes that redirect, or that show a page of one of four types. */
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
  // Give both priority over other work on the machine, if permitted.
  for (const pid of [frontPid, bare.pid ?? 0]) raisePriority(pid)
  return [
    ...others.map((pid) => pinToCore(pid, otherCore)),
    pinToCore(frontPid, serverCore),
    pinToCore(bare.pid ?? 0, serverCore),
    pinToCore(process.pid, otherCore),
  ].every(Boolean)
}

type Measured = { port: number; pid: number; paths: string[]; shows?: 'page' }

async function measureServer(server: Measured, seconds: number): Promise<Round> {
  // Exclude the ingest and garbage collection of the round before.
  await sleep(100)
  const beforeMs = cpuMs(server.pid)
  const answers = server.shows === 'page' ? { expect: 'HTTP/1.1 200 ', expectEnd: '</html>' } : redirects
  const result = await runLoad(
    { to: { port: server.port }, connections, seconds, paths: server.paths, heads: phoneHeads, ...answers },
    { core: otherCore, first: true },
  )
  return { ...result, cpuUsPerRequest: ((cpuMs(server.pid) - beforeMs) * 1000) / result.requests }
}

function signal(pids: readonly number[], name: 'SIGSTOP' | 'SIGCONT'): void {
  for (const pid of pids)
    try {
      process.kill(pid, name)
    } catch {
      // The process has ended. The service starts another one, which is not pinned either.
    }
}

function line(name: string, round: Round): string {
  const { requestsPerSecond, p50Ms, p99Ms, cpuUsPerRequest, errors } = round
  return `${name.padEnd(12)} ${Math.round(requestsPerSecond)} requests/s, p50 ${p50Ms.toFixed(2)} ms, p99 ${p99Ms.toFixed(2)} ms, ${cpuUsPerRequest.toFixed(2)} µs CPU per request, ${errors} errors`
}
