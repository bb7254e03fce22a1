import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createClient } from '@everscan/client/create-client.ts'
import { startService, type Service } from '@everscan/server/test/service.ts'
import { cpuMs, lowerPriority, pinToCore } from './cores.ts'
import { median, rounded } from './figures.ts'
import type { LoadOrder, LoadResult } from './load.ts'
import { phoneUserAgents } from './user-agents.ts'

const codes = 200
const connections = 64
/** The server under test alone on one core; the generator and the rest of the service on the other. */
const serverCore = 0
const otherCore = 1

type Round = LoadResult & { cpuUsPerRequest: number }

/**
 * `front` with the journal on and the codes in memory, against a bare `node:http` server with a constant 302, in turn on the
 * same core. Ratios are ours to the baseline's: of requests a second, of the 99th percentile, of processor time a request.
 */
export async function benchRedirect({ quick }: { quick: boolean }): Promise<object> {
  const rounds = quick ? 5 : 11
  const seconds = quick ? 2 : 4
  const service = await startService({ LOG_LEVEL: 'warn', RATE_LIMIT_PER_MINUTE: '0' })
  const bare = fork(join(import.meta.dirname, 'bare-http.ts'), { stdio: 'inherit' })
  try {
    const [barePort] = (await once(bare, 'message')) as [number]
    const paths = await createCodes(service)
    const frontPid = service.pids('front')[0] ?? 0
    const pinned = place(service, bare, frontPid)
    const ours = { name: 'everscan front', port: service.port, pid: frontPid }
    const baseline = { name: 'bare node:http', port: barePort, pid: bare.pid ?? 0 }
    const results: { ours: Round; baseline: Round }[] = []
    await measure(baseline, paths, 1)
    await measure(ours, paths, 1)
    for (let round = 0; round < rounds; round++) {
      const pair = {
        baseline: await measure(baseline, paths, seconds),
        ours: await measure(ours, paths, seconds),
      }
      results.push(pair)
      for (const [name, one] of Object.entries(pair)) console.log(line(`${round + 1} ${name}`, one))
    }
    const ratioOf = (pick: (round: Round) => number): number =>
      median(results.map((pair) => pick(pair.ours) / pick(pair.baseline)))
    return {
      ratio: rounded(ratioOf((round) => round.requestsPerSecond)),
      p99Ratio: rounded(ratioOf((round) => round.p99Ms)),
      cpuRatio: rounded(ratioOf((round) => round.cpuUsPerRequest)),
      requestsPerSecond: Math.round(median(results.map((pair) => pair.ours.requestsPerSecond))),
      baselineRequestsPerSecond: Math.round(median(results.map((pair) => pair.baseline.requestsPerSecond))),
      errors: results.reduce((sum, pair) => sum + pair.ours.errors + pair.baseline.errors, 0),
      rounds,
      pinned,
    }
  } finally {
    bare.disconnect()
    await service.remove()
  }
}

async function createCodes(service: Service): Promise<string[]> {
  const client = createClient({ baseUrl: service.baseUrl, apiKey: service.apiKey })
  const [organization] = await client.organizations.listMine()
  if (organization === undefined) throw new Error('the service has no organization')
  const paths: string[] = []
  for (let i = 0; i < codes; i++) {
    const code = await client.qrCodes.create(organization.id, {
      type: 'URL',
      name: `Bench ${i}`,
      data: { url: 'https://example.com/menu' },
    })
    paths.push(`/${code.shortCode}`)
  }
  return paths
}

function place(service: Service, bare: ChildProcess, frontPid: number): boolean {
  const others = ['api', 'worker', 'engine'].flatMap((role) => service.pids(role))
  for (const pid of others) lowerPriority(pid)
  return [
    ...others.map((pid) => pinToCore(pid, otherCore)),
    pinToCore(frontPid, serverCore),
    pinToCore(bare.pid ?? 0, serverCore),
    pinToCore(process.pid, otherCore),
  ].every(Boolean)
}

async function measure(
  server: { port: number; pid: number },
  paths: string[],
  seconds: number,
): Promise<Round> {
  // What the round before left to be ingested or collected is not this round's.
  await sleep(100)
  const beforeMs = cpuMs(server.pid)
  const result = await load({
    port: server.port,
    connections,
    seconds,
    requests: requestsOf(paths),
    expect: 'HTTP/1.1 302 ',
  })
  return { ...result, cpuUsPerRequest: ((cpuMs(server.pid) - beforeMs) * 1000) / result.requests }
}

async function load(order: LoadOrder): Promise<LoadResult> {
  const child = fork(join(import.meta.dirname, 'load.ts'), { stdio: 'inherit' })
  pinToCore(child.pid ?? 0, otherCore)
  child.send(order)
  const [result] = (await once(child, 'message')) as [LoadResult]
  return result
}

/** Headers as phones send them when a camera opens a link. */
function requestsOf(paths: string[]): string[] {
  return paths.map((path, i) =>
    [
      `GET ${path} HTTP/1.1`,
      'Host: localhost:3000',
      'Connection: keep-alive',
      'Upgrade-Insecure-Requests: 1',
      `User-Agent: ${phoneUserAgents[i % phoneUserAgents.length]}`,
      'Accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
      'Sec-Fetch-Site: none',
      'Sec-Fetch-Mode: navigate',
      'Sec-Fetch-Dest: document',
      'Accept-Encoding: gzip, deflate, br',
      'Accept-Language: de-DE,de;q=0.9,en-US;q=0.8,en;q=0.7',
      '\r\n',
    ].join('\r\n'),
  )
}

function line(name: string, round: Round): string {
  const { requestsPerSecond, p50Ms, p99Ms, cpuUsPerRequest, errors } = round
  return `${name.padEnd(12)} ${Math.round(requestsPerSecond)} requests/s, p50 ${p50Ms.toFixed(2)} ms, p99 ${p99Ms.toFixed(2)} ms, ${cpuUsPerRequest.toFixed(2)} µs CPU a request, ${errors} errors`
}
