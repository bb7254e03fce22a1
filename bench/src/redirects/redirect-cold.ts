import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sqliteFile } from '@everscan/server/db/dialects/sqlite.ts'
import { startPostgres } from '@everscan/server/db/testing/postgres.ts'
import type { Service } from '@everscan/server/test/support/service.ts'
import { cpuMs, lowerPriority, pinToCore, raisePriority } from '../load/cores.ts'
import { startServiceWithCodes } from '../filled-service.ts'
import { median, rounded } from '../figures.ts'
import type { LoadResult } from '../load/load.ts'
import { phoneHeads, redirects, runLoad } from '../load/run-load.ts'

const sizes = { quick: [20_000], full: [1_000, 30_000, 1_000_000] }
const connections = 64
/** More than the requests of a round, so that codes repeat only by chance. */
const pathsMax = 200_000
const serverCore = 0
const otherCore = 1

/**
 * Measures redirects of random codes out of 1,000,000 (`--quick`: 20,000), of which `front` has at
 * most a fifth in memory, on one core. The baseline is a bare server on that core that reads the
 * same row by its index for each request. Runs on both catalogues; a database server and the
 * generator share the other core. `points` are the requests per second at each size, to show the
 * decline as the catalogue outgrows the memory.
 */
export async function benchRedirectCold({ quick }: { quick: boolean }): Promise<object> {
  const rounds = quick ? 3 : 7
  const seconds = quick ? 0.5 : 4
  const postgres = await startPostgres()
  try {
    const sqlite = await benchCatalogue('SQLite', { quick, rounds, seconds })
    const postgresql = await benchCatalogue('PostgreSQL', {
      quick,
      rounds,
      seconds,
      createDatabaseUrl: () => postgres.createDatabase(),
    })
    return { rounds, sqlite, postgresql }
  } finally {
    await postgres.remove()
  }
}

type Options = {
  quick: boolean
  rounds: number
  seconds: number
  createDatabaseUrl?: () => Promise<string>
}
type Round = LoadResult & { cpuUs: number }
type Point = {
  codes: number
  ratio: number
  cpuRatio: number
  requestsPerSecond: number
  baselineRequestsPerSecond: number
  missShare: number
  errors: number
}

async function benchCatalogue(
  name: string,
  { quick, rounds, seconds, createDatabaseUrl }: Options,
): Promise<Point & { points: Point[] }> {
  const points: Point[] = []
  for (const codes of sizes[quick ? 'quick' : 'full']) {
    const databaseUrl = await createDatabaseUrl?.()
    const point = await benchSize({ codes, rounds, seconds, databaseUrl })
    points.push(point)
    console.log(`${name.padEnd(10)} ${JSON.stringify(point)}`)
  }
  const largest = points.at(-1)
  if (largest === undefined) throw new Error('unreachable')
  return { ...largest, points }
}

async function benchSize({
  codes,
  rounds,
  seconds,
  databaseUrl,
}: {
  codes: number
  rounds: number
  seconds: number
  databaseUrl: string | undefined
}): Promise<Point> {
  const env = databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }
  const { service, redirects: known } = await startServiceWithCodes(codes, env)
  const bare = fork(join(import.meta.dirname, 'bare-lookup.ts'), [databaseUrl ?? sqliteFile(service.dataDir)])
  try {
    const [barePort] = (await once(bare, 'message')) as [number]
    place(service, bare)
    const results: { ours: Round; baseline: Round; missShare: number }[] = []
    const measure = async (pid: number, port: number, forSeconds: number): Promise<Round> => {
      // Exclude the ingest and garbage collection of the round before.
      await sleep(100)
      const beforeMs = cpuMs(pid)
      const order = { to: { port }, connections, seconds: forSeconds, paths: pick(known) }
      const result = await runLoad(
        { ...order, heads: phoneHeads, ...redirects },
        { core: otherCore, first: true },
      )
      return { ...result, cpuUs: ((cpuMs(pid) - beforeMs) * 1000) / result.requests }
    }
    for (let round = -1; round < rounds; round++) {
      const forSeconds = round < 0 ? 0.5 : seconds
      const baseline = await measure(bare.pid ?? 0, barePort, forSeconds)
      const missesBefore = await service.metric('code_misses_total')
      const ours = await measure(service.pids('front')[0] ?? 0, service.port, forSeconds)
      const misses = (await service.metric('code_misses_total')) - missesBefore
      if (round >= 0) results.push({ ours, baseline, missShare: misses / ours.requests })
    }
    const of = (value: (pair: (typeof results)[number]) => number) => median(results.map(value))
    return {
      codes,
      ratio: rounded(of(({ ours, baseline }) => ours.requestsPerSecond / baseline.requestsPerSecond)),
      cpuRatio: rounded(of(({ ours, baseline }) => ours.cpuUs / baseline.cpuUs)),
      requestsPerSecond: Math.round(of(({ ours }) => ours.requestsPerSecond)),
      baselineRequestsPerSecond: Math.round(of(({ baseline }) => baseline.requestsPerSecond)),
      missShare: rounded(of((pair) => pair.missShare)),
      errors: results.reduce((sum, { ours, baseline }) => sum + ours.errors + baseline.errors, 0),
    }
  } finally {
    bare.disconnect()
    await service.remove()
  }
}

function place(service: Service, bare: ChildProcess): void {
  for (const pid of ['api', 'worker', 'engine'].flatMap((role) => service.pids(role))) {
    lowerPriority(pid)
    pinToCore(pid, otherCore)
  }
  for (const pid of [bare.pid ?? 0, ...service.pids('front')]) {
    pinToCore(pid, serverCore)
    raisePriority(pid)
  }
}

function pick(codes: readonly string[]): string[] {
  return Array.from({ length: pathsMax }, () => `/${codes[Math.floor(Math.random() * codes.length)]}`)
}
