import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startService, type Service } from '@everscan/server/test/support/service.ts'
import { median, rounded } from '../figures.ts'
import { cpuMs, lowerPriority, pinToCore, raisePriority } from './cores.ts'
import type { LoadOrder, LoadResult } from './load.ts'
import { phoneHeads, redirects, runLoad } from './run-load.ts'
import { sendSignal } from '@everscan/server/processes/testing/signals.ts'

const connections = 64
/** The server under test has one core alone. Generator and other processes use the other core. */
const serverCore = 0
const otherCore = 1

export type Round = LoadResult & { cpuUsPerRequest: number }

/** A process that is measured, and the requests that it gets: by default of phones. */
export type Target = {
  port: number
  pid: number
  paths: string[]
  heads?: string[]
  /** The form of a valid response: by default a redirect. */
  answers?: Pick<LoadOrder, 'expect' | 'expectEnd'>
}

export type PinnedServers = {
  service: Service
  front: Pick<Target, 'port' | 'pid'>
  /** The bare `node:http` server with a constant 302, on the same core. */
  bare: Pick<Target, 'port' | 'pid'>
  /** Whether every process is on its core: only on Linux. */
  pinned: boolean
  /**
   * Measures one side. Ingest pauses, because the generator needs its core, like a real client, and
   * ingest has its own bench.
   */
  measure: (target: Target, seconds: number, options?: { withIngest?: boolean }) => Promise<Round>
}

/** Starts a service and the bare server on the same core, and the means to measure either. */
export async function withPinnedServers<T>(
  env: Readonly<Record<string, string>>,
  work: (servers: PinnedServers) => Promise<T>,
): Promise<T> {
  const service = await startService({ LOG_LEVEL: 'warn', RATE_LIMIT_PER_MINUTE: '0', ...env })
  const bare = fork(join(import.meta.dirname, 'bare-http.ts'), { stdio: 'inherit' })
  /** Includes `main`, which would end processes that it doesn't hear from for 10 s. */
  let ingestPids: number[] = []
  try {
    const [barePort] = (await once(bare, 'message')) as [number]
    const frontPid = service.pids('front')[0] ?? 0
    ingestPids = ['main', 'worker', 'engine'].flatMap((role) => service.pids(role))
    const pinned = place(service, bare, frontPid)
    return await work({
      service,
      front: { port: service.port, pid: frontPid },
      bare: { port: barePort, pid: bare.pid ?? 0 },
      pinned,
      measure: async (target, seconds, { withIngest = false } = {}) => {
        signal(ingestPids, withIngest ? 'SIGCONT' : 'SIGSTOP')
        try {
          return await measureTarget(target, seconds)
        } finally {
          signal(ingestPids, 'SIGCONT')
        }
      },
    })
  } finally {
    signal(ingestPids, 'SIGCONT')
    bare.disconnect()
    await service.remove()
  }
}

export type Ratios = { ratio: number; p99Ratio: number; cpuRatio: number }

/** Returns a round relative to another one: requests, 99th percentile and processor time. */
export function ratiosOf(of: Round, to: Round): Ratios {
  return {
    ratio: of.requestsPerSecond / to.requestsPerSecond,
    p99Ratio: of.p99Ms / to.p99Ms,
    cpuRatio: of.cpuUsPerRequest / to.cpuUsPerRequest,
  }
}

export function mediansOf(rounds: readonly Ratios[], names: readonly (keyof Ratios)[]): Partial<Ratios> {
  return Object.fromEntries(names.map((name) => [name, rounded(median(rounds.map((round) => round[name])))]))
}

/** Measures sides in turn and prints each. The order alternates: a side may affect the next one. */
export async function measureInTurn<Side extends string>(
  number: number,
  sides: readonly Side[],
  measure: (side: Side) => Promise<Round>,
): Promise<Record<Side, Round>> {
  const of: Partial<Record<Side, Round>> = {}
  for (const side of number % 2 === 0 ? sides : sides.toReversed()) {
    const round = await measure(side)
    of[side] = round
    console.log(lineOf(`${number} ${side}`, round))
  }
  return of as Record<Side, Round>
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

async function measureTarget(
  { port, pid, paths, heads = phoneHeads, answers = redirects }: Target,
  seconds: number,
): Promise<Round> {
  // Exclude the ingest and garbage collection of the round before.
  await sleep(100)
  const beforeMs = cpuMs(pid)
  const result = await runLoad(
    { to: { port }, connections, seconds, paths, heads, ...answers },
    { core: otherCore, first: true },
  )
  return { ...result, cpuUsPerRequest: ((cpuMs(pid) - beforeMs) * 1000) / result.requests }
}

function signal(pids: readonly number[], name: 'SIGSTOP' | 'SIGCONT'): void {
  for (const pid of pids)
    try {
      sendSignal(pid, name)
    } catch {
      // The process has ended. The service starts another one, which is not pinned either.
    }
}

function lineOf(name: string, round: Round): string {
  const { requestsPerSecond, p50Ms, p99Ms, cpuUsPerRequest, errors } = round
  return `${name.padEnd(12)} ${Math.round(requestsPerSecond)} requests/s, p50 ${p50Ms.toFixed(2)} ms, p99 ${p99Ms.toFixed(2)} ms, ${cpuUsPerRequest.toFixed(2)} µs CPU per request, ${errors} errors`
}
