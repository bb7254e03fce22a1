import { globSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { CreateQrCodeOf } from '@everscan/client/create-client.ts'
import type { Service } from '@everscan/server/test/support/service.ts'
import { startBenchService } from './filled-service.ts'
import { median, rounded } from './figures.ts'
import type { LoadOrder, LoadResult } from './load/load.ts'
import {
  measureInTurn,
  mediansOf,
  ratiosOf,
  withPinnedServers,
  type Round,
  type Target,
} from './load/pinned-servers.ts'
import { phoneHeads, redirects, runLoad } from './load/run-load.ts'

const codes = 200
/** The visitors' addresses are in this header. */
const behindProxy = { TRUST_PROXY: '127.0.0.1' }
const data = { url: 'https://example.com/menu' }
const to = (place: string) => ({ data: { url: `https://example.com/${place}` } })
const berlin = { timeZone: 'Europe/Berlin' }

/** Most visitors come to the last rule, so all conditions are asked. Only `fr` answers some. */
const tenRules: NonNullable<CreateQrCodeOf<'URL'>['rules']> = [
  {
    name: 'Lunch in Austria',
    when: { ...berlin, days: ['MO', 'TU', 'WE', 'TH', 'FR'], from: '11:00', to: '15:00', countries: ['AT'] },
    ...to('lunch'),
  },
  { name: 'French', when: { countries: ['FR'] }, ...to('fr') },
  { name: 'Spanish', when: { languages: ['es', 'ca'] }, ...to('es') },
  { name: 'Tablets', when: { devices: ['tablet'], countries: ['US', 'CA'] }, ...to('tablet') },
  { name: 'Desktops', when: { devices: ['desktop'] }, ...to('desktop') },
  { name: 'Windows', when: { os: ['Windows', 'macOS'] }, ...to('windows') },
  {
    name: 'Nights in Japan',
    when: { ...berlin, from: '15:00', to: '23:00', countries: ['JP'] },
    ...to('night'),
  },
  {
    name: 'Opening',
    when: { startsAt: '2020-01-01T00:00:00Z', endsAt: '2020-02-01T00:00:00Z' },
    ...to('opening'),
  },
  { name: 'Swiss', when: { countries: ['CH', 'LI'], languages: ['de', 'fr', 'it'] }, ...to('ch') },
  {
    name: 'Test',
    split: [
      { name: 'A', weight: 70, ...to('a') },
      { name: 'B', weight: 30, ...to('b') },
    ],
  },
]

/**
 * Compares redirects of codes with ten rules (country, language, device, hours, a split) with those
 * of codes without rules and with a bare `node:http` server, in turn on the same core. `passwords`
 * and `limits` are redirects of codes without either beside checks of passwords and scans of codes
 * with a limit in the same process, relative to the same redirects alone: a slow check or look-up
 * on the event loop would hold them up.
 */
export async function benchRules({ quick }: { quick: boolean }): Promise<object> {
  const ruled = await benchTenRules(quick)
  const beside = await benchBeside(quick)
  return { ...ruled, ...beside, errors: ruled.errors + beside.errors }
}

async function benchTenRules(quick: boolean) {
  const rounds = quick ? 7 : 25
  const seconds = quick ? 1 : 2
  return withPinnedServers(behindProxy, async ({ service, front, bare, measure, pinned }) => {
    const heads = visitorHeads()
    const plain = { ...front, heads, paths: await createCodes(service, {}) }
    const sides: Record<'baseline' | 'plain' | 'ruled', Target> = {
      baseline: { ...plain, ...bare },
      plain,
      ruled: { ...plain, paths: await createCodes(service, { rules: tenRules }) },
    }
    await countriesAreKnown(service, sides.ruled.paths[0] ?? '')
    const inTurn = ['baseline', 'plain', 'ruled'] as const
    for (const side of inTurn) await measure(sides[side], 1)
    const results: Record<(typeof inTurn)[number], Round>[] = []
    for (let round = 1; round <= rounds; round++)
      results.push(await measureInTurn(round, inTurn, (side) => measure(sides[side], seconds)))
    const perSecond = (side: keyof typeof sides) =>
      Math.round(median(results.map((of) => of[side].requestsPerSecond)))
    return {
      ...mediansOf(
        results.map((of) => ratiosOf(of.ruled, of.plain)),
        ['ratio', 'p99Ratio', 'cpuRatio'],
      ),
      bare: mediansOf(
        results.map((of) => ratiosOf(of.ruled, of.baseline)),
        ['ratio', 'p99Ratio', 'cpuRatio'],
      ),
      requestsPerSecond: {
        ruled: perSecond('ruled'),
        plain: perSecond('plain'),
        bare: perSecond('baseline'),
      },
      errors: sumOf(results.flatMap((of) => Object.values(of))),
      rounds,
      pinned,
    }
  })
}

const pace = { connections: 64, perSecond: 500 }
const password = 'open sesame'
/** The slots are four, so some checks always wait. */
const passwordConnections = 8
/** A right answer is remembered, and the next one costs no check: each is for another code. */
const passwordsPerSecond = 20
const limitedCodes = 20
const limitedPerSecond = 500

async function benchBeside(quick: boolean) {
  const rounds = quick ? 3 : 9
  const seconds = quick ? 4 : 8
  const { service } = await startBenchService(behindProxy)
  try {
    const heads = visitorHeads()
    const plain = await createCodes(service, {})
    const load = { to: { port: service.port }, seconds, heads, ...redirects }
    const limited = await createCodes(service, { access: { scanLimit: 1_000_000 } })
    const others = {
      alone: async () => undefined,
      passwords: async () => ({
        ...load,
        connections: passwordConnections,
        perSecond: passwordsPerSecond,
        method: 'POST' as const,
        heads: heads.map(asForm),
        expect: 'HTTP/1.1 303 ',
        paths: await createCodes(service, { access: { password } }),
      }),
      limits: async () => ({
        ...load,
        connections: pace.connections,
        perSecond: limitedPerSecond,
        paths: limited.slice(0, limitedCodes),
      }),
    } satisfies Record<string, () => Promise<LoadOrder | undefined>>
    const measureBeside = async (name: keyof typeof others): Promise<Beside> => {
      const other = await others[name]()
      const [redirected, work] = await Promise.all([
        runLoad({ ...load, ...pace, paths: plain }, { first: true }),
        other === undefined ? undefined : runLoad(other),
      ])
      console.log(
        `${name.padEnd(10)} p99 ${redirected.p99Ms.toFixed(2)} ms${work === undefined ? '' : `, ${Math.round(work.requestsPerSecond)}/s beside`}`,
      )
      return { redirected, work }
    }
    for (const name of ['alone', 'passwords', 'limits'] as const) await measureBeside(name)
    const results: Record<keyof typeof others, Beside>[] = []
    for (let round = 0; round < rounds; round++)
      results.push({
        alone: await measureBeside('alone'),
        passwords: await measureBeside('passwords'),
        limits: await measureBeside('limits'),
      })
    const figures = (name: 'passwords' | 'limits') => ({
      p99Ms: of((one) => one[name].redirected.p99Ms),
      p50Ms: of((one) => one[name].redirected.p50Ms),
      p99Ratio: of((one) => one[name].redirected.p99Ms / one.alone.redirected.p99Ms),
      perSecond: Math.round(of((one) => one[name].work?.requestsPerSecond ?? 0)),
      count: results.reduce((sum, one) => sum + (one[name].work?.requests ?? 0), 0),
    })
    const of = (value: (one: (typeof results)[number]) => number) => rounded(median(results.map(value)))
    const all = results.flatMap((one) => Object.values(one))
    return {
      alone: {
        p99Ms: of((one) => one.alone.redirected.p99Ms),
        p50Ms: of((one) => one.alone.redirected.p50Ms),
      },
      passwords: figures('passwords'),
      limits: figures('limits'),
      errors: sumOf(
        all.flatMap(({ redirected, work }) => (work === undefined ? [redirected] : [redirected, work])),
      ),
    }
  } finally {
    await service.remove()
  }
}

type Beside = { redirected: LoadResult; work: LoadResult | undefined }

/** Creates codes that redirect. Returns their paths. */
async function createCodes(service: Service, more: Partial<CreateQrCodeOf<'URL'>>): Promise<string[]> {
  const client = service.client()
  const [organization] = await client.organizations.listMine()
  if (organization === undefined) throw new Error('the service has no organization')
  const body = Array.from({ length: codes }, (_, i) => ({
    type: 'URL' as const,
    name: `Bench ${i}`,
    data,
    ...more,
  }))
  const { data: created } = await client.batches.create(organization.id, body)
  return created.map((code) => `/${code.shortCode}`)
}

/** Heads of as many visitors as there are codes, with addresses all over the world. */
function visitorHeads(): string[] {
  return Array.from({ length: codes }, (_, i) => {
    const address = [11 + ((i * 37) % 200), (i * 91) % 256, (i * 53) % 256, 1 + i].join('.')
    const head = phoneHeads[i % phoneHeads.length] ?? ''
    return `X-Forwarded-For: ${address}\r\n${head}`
  })
}

/** Returns the head of a visitor who sends the form with the password. */
function asForm(head: string): string {
  const body = new URLSearchParams({ password }).toString()
  const type = 'Content-Type: application/x-www-form-urlencoded'
  return `${type}\r\nContent-Length: ${body.length}\r\n${head}${body}`
}

/** Waits until the table of countries is made: a visitor from France gets the French rule. */
async function countriesAreKnown({ baseUrl, dataDir }: Service, path: string): Promise<void> {
  const headers = { 'x-forwarded-for': '90.0.0.1', 'user-agent': 'Mozilla/5.0 (iPhone)' }
  const tables = join(dataDir, 'cache', 'countries-*.bin')
  for (let tries = 0; tries < 600; tries++) {
    const { headers: got } = await fetch(baseUrl + path, { headers, redirect: 'manual' })
    if (got.get('location')?.endsWith('/fr') === true && globSync(tables).length === 2) return
    await sleep(100)
  }
  throw new Error('the countries of visitors are not known')
}

function sumOf(results: readonly LoadResult[]): number {
  return results.reduce((sum, { errors }) => sum + errors, 0)
}
