import type { Client } from '@everscan/client/create-client.ts'
import { cpuMs } from './load/cores.ts'
import { filledCodesMany } from './fill-scans.ts'
import { median, rounded } from './figures.ts'
import { addScans, startServiceWithCodes } from './filled-service.ts'

const sizes = {
  quick: { scans: 300_000, codes: filledCodesMany / 10 },
  full: { scans: 10_000_000, codes: filledCodesMany },
}
const rounds = 5
const year = { startDate: '2025-01-01', endDate: '2025-12-31' }

type Ask = (client: Client, orgId: string) => Promise<unknown>

/**
 * Measures requests for figures of a year of some of many codes, by day, from the request to the
 * parsed answer: all codes, a folder (one code in 300), the most used tag (one in three), a type
 * (seven in ten), matrices, and the table of codes. The first request of each, which stores the
 * list of codes, does not count.
 */
export async function benchSelected({ quick }: { quick: boolean }): Promise<object> {
  const { scans, codes } = quick ? sizes.quick : sizes.full
  const { service, orgId } = await startServiceWithCodes(codes)
  try {
    await addScans(service, orgId, scans, codes)
    const client = service.client()
    const [folder] = (await client.folders.list(orgId)).data
    const [mostUsed] = (await client.tags.list(orgId)).data
    if (folder === undefined || mostUsed === undefined) throw new Error('the catalogue has no folders')
    const ids = (await client.qrCodes.list(orgId, { limit: 100 })).data.map(({ id }) => id)
    const asked: Readonly<Record<string, Ask>> = {
      all: figures({}),
      folder: figures({ folderId: folder.id }),
      tag: figures({ tag: [mostUsed.tag] }),
      type: figures({ type: 'URL' }),
      ids: figures({ ids }),
      matrix: figures({ matrix: 'code,city' }),
      'matrix of devices': figures({ matrix: 'country,os' }),
      'matrix of a tag': figures({ tag: [mostUsed.tag], matrix: 'code,city' }),
      table: table({}),
      'table by change': table({ sort: 'change' }),
      'table by uniques': table({ sort: 'uniqueScans' }),
      'table by name': table({ sort: 'name' }),
      'table of a tag': table({ tag: [mostUsed.tag] }),
    }
    const results: Record<string, object> = {}
    for (const [name, ask] of Object.entries(asked)) {
      const measured: { ms: number; engineMs: number; apiMs: number }[] = []
      for (let round = -1; round < rounds; round++) {
        const [engine = 0] = service.pids('engine')
        const [api = 0] = service.pids('api')
        const from = { ms: performance.now(), engine: cpuMs(engine), api: cpuMs(api) }
        await ask(client, orgId)
        if (round >= 0)
          measured.push({
            ms: performance.now() - from.ms,
            engineMs: cpuMs(engine) - from.engine,
            apiMs: cpuMs(api) - from.api,
          })
      }
      const middle = (of: 'ms' | 'engineMs' | 'apiMs') => rounded(median(measured.map((one) => one[of])))
      results[name] = { ms: middle('ms'), engineMs: middle('engineMs'), apiMs: middle('apiMs') }
      console.log(`${name.padEnd(20)} ${JSON.stringify(results[name])}`)
    }
    return { codes, ...results }
  } finally {
    await service.stop()
  }
}

function figures(query: Parameters<Client['analytics']['ofOrganization']>[1]): Ask {
  return (client, orgId) => client.analytics.ofOrganization(orgId, { ...year, ...query })
}

function table(query: Parameters<Client['analytics']['codes']>[1]): Ask {
  return (client, orgId) => client.analytics.codes(orgId, { ...year, ...query })
}
