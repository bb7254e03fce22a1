import { setTimeout as sleep } from 'node:timers/promises'
import { socketPath } from '@everscan/server/processes/listening.ts'
import { filledQrCodeId } from './fill-catalogue.ts'
import { startServiceWithCodes } from './filled-service.ts'
import { median, rounded } from './figures.ts'
import type { LoadOrder, LoadResult } from './load/load.ts'
import { runLoad } from './load/run-load.ts'

const codes = 1_000
const connections = 16

/**
 * Compares reads of one code through `front` and its public port with the same reads directly from
 * the socket of `api`: requests per second with 16 connections, and the added time of one read in
 * an otherwise idle service (medians).
 */
export async function benchApiThrough({ quick }: { quick: boolean }): Promise<object> {
  const rounds = quick ? 5 : 11
  const seconds = quick ? 1.5 : 4
  const { service, orgId } = await startServiceWithCodes(codes)
  try {
    const order = {
      paths: Array.from(
        { length: codes },
        (_, i) => `/api/v1/organizations/${orgId}/qr-codes/${filledQrCodeId(i)}`,
      ),
      heads: [`Host: localhost:3000\r\nConnection: keep-alive\r\nX-API-Key: ${service.apiKey}\r\n\r\n`],
      expect: 'HTTP/1.1 200 ',
      expectEnd: '}',
    }
    const targets = {
      through: { port: service.port },
      direct: { socketPath: socketPath(service.dataDir, 'api-0') },
    }
    const measure = async (
      target: keyof typeof targets,
      more: Pick<LoadOrder, 'connections' | 'seconds'>,
    ) => {
      await sleep(100)
      return runLoad({ ...order, to: targets[target], ...more })
    }
    const results: { direct: LoadResult; through: LoadResult; addedMs: number }[] = []
    for (let round = -1; round < rounds; round++) {
      const alone = { connections: 1, seconds: seconds / 2 }
      const directAlone = await measure('direct', alone)
      const throughAlone = await measure('through', alone)
      const result = {
        direct: await measure('direct', { connections, seconds }),
        through: await measure('through', { connections, seconds }),
        addedMs: throughAlone.p50Ms - directAlone.p50Ms,
      }
      if (round < 0) continue
      results.push(result)
      const { direct, through, addedMs } = result
      console.log(
        `${round + 1} ${Math.round(direct.requestsPerSecond)} reads/s direct, ${Math.round(through.requestsPerSecond)} through front, ${addedMs.toFixed(2)} ms more`,
      )
    }
    const of = (value: (one: (typeof results)[number]) => number) => median(results.map(value))
    return {
      ratio: rounded(of(({ through, direct }) => through.requestsPerSecond / direct.requestsPerSecond)),
      addedMs: rounded(of((one) => one.addedMs)),
      perSecond: Math.round(of((one) => one.through.requestsPerSecond)),
      straightPerSecond: Math.round(of((one) => one.direct.requestsPerSecond)),
      errors: results.reduce((sum, { through, direct }) => sum + through.errors + direct.errors, 0),
      rounds,
    }
  } finally {
    await service.remove()
  }
}
