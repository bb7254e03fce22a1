import { setTimeout as sleep } from 'node:timers/promises'
import type { Service } from '@everscan/server/test/support/service.ts'
import { cpuMs, pinToCore } from '../load/cores.ts'
import { startServiceWithCodes } from '../filled-service.ts'
import { median, rounded } from '../figures.ts'
import type { LoadResult } from '../load/load.ts'
import { phoneHeads, redirects, runLoad } from '../load/run-load.ts'

const codes = 1_000
const connections = 64
const cores = [0, 1]

type Round = LoadResult & { cpuUs: number }

/**
 * Compares the processor time of all fronts for one redirect with two of them
 * (`FRONT_PROCESSES=2`), each on its own core, and with one. The generator uses both cores too, so
 * requests per second say little here.
 */
export async function benchRedirectProcesses({ quick }: { quick: boolean }): Promise<object> {
  const rounds = quick ? 5 : 11
  const seconds = quick ? 2 : 4
  const one = await startServiceWithCodes(codes)
  const two = await startServiceWithCodes(codes, { FRONT_PROCESSES: '2' })
  try {
    for (const { service } of [one, two])
      for (const [index, pid] of service.pids('front').entries()) pinToCore(pid, cores[index] ?? 0)
    const results: { one: Round; two: Round }[] = []
    for (let round = -1; round < rounds; round++) {
      const pair = {
        one: await measure(one.service, one.redirects, seconds),
        two: await measure(two.service, two.redirects, seconds),
      }
      if (round < 0) continue
      results.push(pair)
      console.log(
        `${round + 1} ${pair.one.cpuUs.toFixed(2)} µs CPU per redirect with one process, ${pair.two.cpuUs.toFixed(2)} with two`,
      )
    }
    const of = (value: (pair: (typeof results)[number]) => number) => median(results.map(value))
    return {
      cpuRatio: rounded(of((pair) => pair.two.cpuUs / pair.one.cpuUs)),
      cpuUs: { one: rounded(of((pair) => pair.one.cpuUs)), two: rounded(of((pair) => pair.two.cpuUs)) },
      requestsPerSecond: {
        one: Math.round(of((pair) => pair.one.requestsPerSecond)),
        two: Math.round(of((pair) => pair.two.requestsPerSecond)),
      },
      errors: results.reduce((sum, pair) => sum + pair.one.errors + pair.two.errors, 0),
      rounds,
    }
  } finally {
    await one.service.remove()
    await two.service.remove()
  }
}

async function measure(service: Service, codesOf: readonly string[], seconds: number): Promise<Round> {
  await sleep(100)
  const fronts = service.pids('front')
  const spentMs = () => fronts.reduce((sum, pid) => sum + cpuMs(pid), 0)
  const beforeMs = spentMs()
  const paths = codesOf.map((code) => `/${code}`)
  const order = { to: { port: service.port }, connections, seconds, paths, heads: phoneHeads, ...redirects }
  const result = await runLoad(order)
  return { ...result, cpuUs: ((spentMs() - beforeMs) * 1000) / result.requests }
}
