import { setTimeout as sleep } from 'node:timers/promises'
import { socketPath } from '@everscan/server/processes/listening.ts'
import { filledQrCodeId } from './fill-catalogue.ts'
import { startServiceWithCodes } from './filled-service.ts'
import { median, rounded } from './figures.ts'
import type { LoadOrder, LoadResult } from './load.ts'
import { runLoad } from './run-load.ts'

const codes = 1_000
const connections = 16

/**
 * Reads of one code through `front` and its public port against the same reads straight from the socket of `api`: requests a second with 16
 * connections, and how much longer one read takes when nothing else is asked (medians).
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
    const ways = {
      through: { port: service.port },
      straight: { socketPath: socketPath(service.dataDir, 'api-0') },
    }
    const measure = async (way: keyof typeof ways, more: Pick<LoadOrder, 'connections' | 'seconds'>) => {
      await sleep(100)
      return runLoad({ ...order, to: ways[way], ...more })
    }
    const results: { straight: LoadResult; through: LoadResult; addedMs: number }[] = []
    for (let round = -1; round < rounds; round++) {
      const alone = { connections: 1, seconds: seconds / 2 }
      const straightAlone = await measure('straight', alone)
      const throughAlone = await measure('through', alone)
      const result = {
        straight: await measure('straight', { connections, seconds }),
        through: await measure('through', { connections, seconds }),
        addedMs: throughAlone.p50Ms - straightAlone.p50Ms,
      }
      if (round < 0) continue
      results.push(result)
      const { straight, through, addedMs } = result
      console.log(
        `${round + 1} ${Math.round(straight.requestsPerSecond)} reads/s straight, ${Math.round(through.requestsPerSecond)} through front, ${addedMs.toFixed(2)} ms more`,
      )
    }
    const of = (value: (one: (typeof results)[number]) => number) => median(results.map(value))
    return {
      ratio: rounded(of(({ through, straight }) => through.requestsPerSecond / straight.requestsPerSecond)),
      addedMs: rounded(of((one) => one.addedMs)),
      perSecond: Math.round(of((one) => one.through.requestsPerSecond)),
      straightPerSecond: Math.round(of((one) => one.straight.requestsPerSecond)),
      errors: results.reduce((sum, { through, straight }) => sum + through.errors + straight.errors, 0),
      rounds,
    }
  } finally {
    await service.remove()
  }
}
