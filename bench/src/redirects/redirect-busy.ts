import { setTimeout as sleep } from 'node:timers/promises'
import type { Service } from '@everscan/server/test/support/service.ts'
import { filledQrCodeId } from '../fill-catalogue.ts'
import { filledPeriod } from '../fill-scans.ts'
import { addScans, startServiceWithCodes } from '../filled-service.ts'
import { median, rounded } from '../figures.ts'
import { importFile } from '../import-file.ts'
import { phoneHeads, redirects, runLoad } from '../load/run-load.ts'

const codes = 20_000
const sizes = { quick: 100_000, full: 1_000_000 }
const perSecond = 1_000
const connections = 64
const picturesPerSecond = 50
const picturesAtOnce = 16
const period = {
  startDate: new Date(filledPeriod.startMs).toISOString(),
  endDate: new Date(filledPeriod.endMs).toISOString(),
}

/** The work of the service meanwhile, as evidence that it was done. */
type Work = { imports: number; analytics: number; pictures: number; pictureErrors: number }

/**
 * Compares 1,000 redirects per second on a busy service with the same service, otherwise idle, in
 * turn. The busy service imports files of 10,000 rows one after the other, draws 50 PNG pictures
 * per second and repeats the analytics of a year for an organization of 1,000,000 scans (`--quick`:
 * 100,000). Nothing is pinned: everything shares the machine, and only the generator of the
 * redirects has priority. `ratio` is the ratio of the 99th percentiles.
 */
export async function benchRedirectBusy({ quick }: { quick: boolean }): Promise<object> {
  const rounds = quick ? 3 : 7
  const seconds = quick ? 4 : 10
  const { service, orgId, redirects: known } = await startServiceWithCodes(codes)
  try {
    await addScans(service, orgId, sizes[quick ? 'quick' : 'full'])
    const paths = known.map((code) => `/${code}`)
    const measure = async () => {
      const to = { port: service.port }
      const order = { to, connections, seconds, perSecond, paths, heads: phoneHeads, ...redirects }
      return runLoad(order, { first: true })
    }
    const results: { idle: Measured; busy: Measured; work: Work }[] = []
    for (let round = -1; round < rounds; round++) {
      const idle = await measure()
      const work = keepBusy(service, orgId, seconds + 2)
      await sleep(1_000)
      const busy = await measure()
      const done = await work
      if (round < 0) continue
      results.push({ idle, busy, work: done })
      console.log(`${round + 1} idle ${line(idle)}; busy ${line(busy)}; ${JSON.stringify(done)}`)
      // Let the import and the work that it caused in the worker end.
      await sleep(2_000)
    }
    const of = (value: (one: (typeof results)[number]) => number) => rounded(median(results.map(value)))
    const total = (value: (one: (typeof results)[number]) => number) =>
      results.reduce((sum, one) => sum + value(one), 0)
    return {
      ratio: of(({ idle, busy }) => busy.p99Ms / idle.p99Ms),
      p99Ms: { idle: of(({ idle }) => idle.p99Ms), busy: of(({ busy }) => busy.p99Ms) },
      p50Ms: { idle: of(({ idle }) => idle.p50Ms), busy: of(({ busy }) => busy.p50Ms) },
      perSecond: {
        idle: of(({ idle }) => idle.requestsPerSecond),
        busy: of(({ busy }) => busy.requestsPerSecond),
      },
      errors: total(({ idle, busy }) => idle.errors + busy.errors),
      imports: total(({ work }) => work.imports),
      analytics: total(({ work }) => work.analytics),
      pictures: total(({ work }) => work.pictures),
      pictureErrors: total(({ work }) => work.pictureErrors),
      rounds,
    }
  } finally {
    await service.remove()
  }
}

type Measured = Awaited<ReturnType<typeof runLoad>>

async function keepBusy(service: Service, orgId: string, seconds: number): Promise<Work> {
  const client = service.client()
  const untilMs = performance.now() + seconds * 1000
  const repeat = async (work: () => Promise<unknown>): Promise<number> => {
    let count = 0
    for (; performance.now() < untilMs; count++) await work()
    return count
  }
  const path = (i: number) => `/api/v1/organizations/${orgId}/qr-codes/${filledQrCodeId(i)}/download?size=512`
  const [imports, analytics, pictures] = await Promise.all([
    repeat(() => importFile(client, orgId)),
    repeat(() => client.analytics.ofOrganization(orgId, period)),
    runLoad({
      to: { port: service.port },
      connections: picturesAtOnce,
      seconds,
      perSecond: picturesPerSecond,
      paths: Array.from({ length: codes }, (_, i) => path(i)),
      heads: [`Host: localhost:3000\r\nConnection: keep-alive\r\nX-API-Key: ${service.apiKey}\r\n\r\n`],
      expect: 'HTTP/1.1 200 ',
      // The end of every PNG.
      expectEnd: 'IEND\u00AEB`\u0082',
    }),
  ])
  return { imports, analytics, pictures: pictures.requests, pictureErrors: pictures.errors }
}

function line({ p50Ms, p99Ms, errors }: Measured): string {
  return `p50 ${p50Ms.toFixed(2)} ms, p99 ${p99Ms.toFixed(2)} ms, ${errors} errors`
}
