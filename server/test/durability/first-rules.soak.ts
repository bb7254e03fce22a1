// The first scans of first rules by country, each on a front that has never asked for a country.
import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { get } from 'node:http'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { phones } from '../support/phones.ts'
import { startService, until, type Service } from '../support/service.ts'

const rounds = 25
const scansEach = 8
/** Of Deutsche Telekom, and of NTT: the packaged databases know both. */
const addresses = { DE: '80.128.1.7', JP: '61.112.1.7' } as const
const to = (where: string) => ({ url: `https://example.com/${where}` })

let service: Service
before(async () => {
  service = await startService({
    TRUST_PROXY: '127.0.0.1',
    FRONT_PROCESSES: '2',
    RATE_LIMIT_PER_MINUTE: '0',
  })
})
after(() => service.remove())

test(`${rounds * scansEach} first scans of a first rule by country are right, and so are their records`, async (t) => {
  const client = service.client()
  const orgId = (await client.organizations.listMine())[0]?.id ?? ''
  const wrong: string[] = []
  const ids: string[] = []
  let slowestMs = 0
  for (let round = 0; round < rounds; round++) {
    // Fronts that start without a table, as on a new installation.
    rmSync(join(service.dataDir, 'cache'), { recursive: true, force: true })
    const old = service.pids('front')
    service.signal(['front'], 'SIGKILL')
    await until(
      'new fronts',
      async () => {
        const now = service.pids('front')
        return now.length === 2 && now.every((pid) => !old.includes(pid)) && (await isUp(service))
      },
      30_000,
    )
    const rules = [{ name: 'German', when: { countries: ['DE'] }, data: to('de') }]
    const code = { type: 'URL', name: 'Ruled', data: to('own'), rules, shortCode: `RULED${round}` } as const
    ids.push((await client.qrCodes.create(orgId, code)).id)
    const asked = [...Array<'DE'>(scansEach / 2).fill('DE'), ...Array<'JP'>(scansEach / 2).fill('JP')]
    const got = await Promise.all(asked.map((country) => scan(code.shortCode, addresses[country])))
    for (const [at, { location, tookMs }] of got.entries()) {
      slowestMs = Math.max(slowestMs, tookMs)
      const expected = to(asked[at] === 'DE' ? 'de' : 'own').url
      if (location !== expected) wrong.push(`round ${round}, ${asked[at]}: ${location}`)
    }
  }
  t.diagnostic(
    `${wrong.length} of ${rounds * scansEach} first scans were wrong; the slowest took ${Math.round(slowestMs)} ms`,
  )
  assert.deepEqual(wrong, [])
  let destinations: Record<string, number> = {}
  await until('every scan is stored', async () => {
    destinations = {}
    for (const id of ids)
      for (const { ruleId, scans } of (await client.qrCodes.analytics(orgId, id)).destinations) {
        const name = ruleId === null ? 'own' : 'rule'
        destinations[name] = (destinations[name] ?? 0) + scans
      }
    return Object.values(destinations).reduce((sum, one) => sum + one, 0) >= rounds * scansEach
  })
  assert.deepEqual(destinations, { rule: (rounds * scansEach) / 2, own: (rounds * scansEach) / 2 })
})

async function isUp({ baseUrl }: Service): Promise<boolean> {
  return fetch(`${baseUrl}/healthz`).then(
    ({ ok }) => ok,
    () => false,
  )
}

let scanners = 0

function scan(code: string, address: string): Promise<{ location: string | undefined; tookMs: number }> {
  const fromMs = performance.now()
  const headers = { 'user-agent': phones[scanners++ % phones.length] ?? '', 'x-forwarded-for': address }
  return new Promise((resolve, reject) => {
    get({ port: service.port, host: '127.0.0.1', path: `/${code}`, headers, agent: false }, (response) => {
      response
        .resume()
        .on('end', () => resolve({ location: response.headers.location, tookMs: performance.now() - fromMs }))
    }).on('error', reject)
  })
}
