import type { CreateQrCodeOf } from '@everscan/client/create-client.ts'
import type { Service } from '@everscan/server/test/support/service.ts'
import { median } from '../figures.ts'
import {
  measureInTurn,
  mediansOf,
  ratiosOf,
  withPinnedServers,
  type Round,
  type Target,
} from '../load/pinned-servers.ts'

const codes = 200
/** The maximum cost of a page, relative to a redirect. */
const pageRatioMax = 3

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
    const measureSides = <S extends Side>(number: number, sides: readonly S[]): Promise<Record<S, Round>> =>
      measureInTurn(number, sides, (side) => measure(side, seconds))
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

type Side = 'ours' | 'baseline' | 'page' | 'besideIngest'
type Servers = {
  measure: (side: Side, seconds: number) => Promise<Round>
  pinned: boolean
}

/** Starts a service and the bare server on the same core, and the means to measure either. */
export function withServers<T>(work: (servers: Servers) => Promise<T>): Promise<T> {
  return withPinnedServers({}, async ({ service, front, bare, measure, pinned }) => {
    const paths = await createCodes(service, 'redirect')
    const ours = { ...front, paths }
    const answers = { expect: 'HTTP/1.1 200 ', expectEnd: '</html>' }
    const sides: Record<Side, Target> = {
      ours,
      baseline: { ...bare, paths },
      page: { ...front, paths: await createCodes(service, 'page'), answers },
      besideIngest: ours,
    }
    return await work({
      pinned,
      measure: (side, seconds) => measure(sides[side], seconds, { withIngest: side === 'besideIngest' }),
    })
  })
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
  const client = service.client()
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
