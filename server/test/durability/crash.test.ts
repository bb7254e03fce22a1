import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startDnsServer, type Zone } from '../../src/api/testing/dns-server.ts'
import { testPostgres } from '../../src/db/testing/databases.ts'
import { hasVariants } from '@everscan/contract/testing/variants.ts'
import { seededRandom } from '@everscan/contract/testing/random.ts'
import { assertAccounts, createCodes, recordedScans, type Codes } from '../support/accounts.ts'
import { startHostProbes } from '../support/host-probes.ts'
import { startLoad } from '../support/load.ts'
import { startService, until, type Service } from '../support/service.ts'
import { startStoreServer, type StoreServer } from '../support/scan-store-server.ts'

const isSoak = process.env['SOAK'] === '1'
const roles = ['front', 'api', 'worker', 'engine'] as const
const scansPerSecond = 200
/** No divisor of the number of phones, so each code is scanned by all of them. */
const codesCount = 5
/** Some of them lead to four destinations: two arms, another rule, and their own content. */
const ruledCount = 2
const to = (place: string) => ({ url: `https://example.com/${place}` })
const rules = [
  {
    name: 'Phones by Apple',
    when: { os: ['iOS'], languages: ['de'] },
    split: [
      { name: 'A', weight: 70, data: to('a') },
      { name: 'B', weight: 30, data: to('b') },
    ],
  },
  { name: 'Samsung', when: { browsers: ['Samsung Internet'] }, data: to('samsung') },
]

/** One in this many kills hits two processes at once. */
const pairEvery = 6

const postgresql = async () => ({ DATABASE_URL: await (await testPostgres()).createDatabase() })
const stores = [
  { name: 'SQLite and files', kills: isSoak ? 1000 : 4, hasServer: false, env: async () => ({}) },
  { name: 'SQLite and ClickHouse', kills: isSoak ? 1000 : 4, hasServer: true, env: async () => ({}) },
  { name: 'PostgreSQL and files', kills: isSoak ? 300 : 3, hasServer: false, env: postgresql },
  { name: 'PostgreSQL and ClickHouse', kills: isSoak ? 300 : 3, hasServer: true, env: postgresql },
]

// The simulation has the orders of kills: a whole run shows that real processes keep to it.
for (const { name, kills, hasServer, env } of hasVariants ? stores : stores.slice(0, 2))
  describe(`kill -9 under ${scansPerSecond} scans/s on ${name}`, () => {
    let service: Service | undefined
    let server: StoreServer | undefined
    after(async () => {
      await service?.remove()
      await server?.stop()
    })

    test(`after ${kills} kills: acknowledged ⊆ analytics ⊆ sent, none twice`, async (t) => {
      const random = seededRandom()
      const oneOf = <T>(values: readonly T[]): T | undefined => values[Math.floor(random() * values.length)]
      const zone: Zone = {}
      const dns = await startDnsServer(zone)
      t.after(() => dns.close())
      if (hasServer) server = await startStoreServer()
      const address: Record<string, string> = server === undefined ? {} : { CLICKHOUSE_URL: server.url }
      const settings = { ...address, ...(await env()), TRUST_PROXY: '127.0.0.1', DNS_SERVERS: dns.address }
      const running = await startService(settings)
      service = running
      const of = await createCodes(running, codesCount)
      const ruled = of.codes.slice(0, ruledCount)
      for (const { id } of ruled) await of.client.qrCodes.update(of.orgId, id, { rules })
      const followed = new Map(ruled.map(({ shortCode }) => [shortCode, new Map<string, number>()]))
      const probes = await startHostProbes(running, of.orgId, zone)
      const load = startLoad({
        port: running.port,
        codes: of.codes.map((code) => code.shortCode),
        scansPerSecond,
        onAcknowledged: (code, location = '') => {
          const counts = followed.get(code)
          counts?.set(location, (counts.get(location) ?? 0) + 1)
        },
      })
      t.after(() => load.stop())

      const killed: Record<string, number> = {}
      const kill = async (): Promise<void> => {
        const role = oneOf(roles) ?? 'front'
        // The other processes may die while they start; a front that never serves would leave
        // nothing to lose.
        const answered = load.total().acknowledged + 10 + random() * 150
        if (role === 'front') await until('scans are answered', () => load.total().acknowledged >= answered)
        if (role === 'engine' && server !== undefined) {
          await server.engine.kill()
          await server.engine.start()
        } else {
          await until(`there is a ${role} to kill`, () => running.pids(role).length > 0)
          running.signal([role], 'SIGKILL')
        }
        killed[role] = (killed[role] ?? 0) + 1
      }
      for (let done = 0; done < kills; done++) {
        if (done % pairEvery !== 0) await sleep(random() * 1800)
        await kill()
      }
      // So many scans were at stake, also on hosts, however slow the machine is.
      const scansMin = 10 * kills
      await until(
        `${scansMin} scans were answered`,
        () => load.total().acknowledged > scansMin && probes.answered() > scansMin,
      )
      await load.stop()

      const { sent, acknowledged } = load.total()
      await running.waitUntilReady()
      const onHosts = await probes.stop()
      const counted = await assertAccounts(running, of, [load])
      for (const { id, shortCode, data } of ruled)
        await assertDestinations(running, of, { id, data, followed: followed.get(shortCode) ?? new Map() })
      t.diagnostic(
        `killed ${JSON.stringify(killed)}: ${acknowledged} acknowledged ≤ ${counted} counted ≤ ${sent} sent; ` +
          `${load.refused()} refused while the front was down; ${onHosts} scans of three hosts led to their own codes`,
      )
    })
  })

/**
 * Asserts that each destination of a code has in analytics the scans that the journals have for it,
 * at least those that it acknowledged, and none twice. Every scan has its own visitor.
 */
async function assertDestinations(
  { dataDir }: Service,
  { client, orgId }: Codes,
  { id, data, followed }: { id: string; data: { url: string }; followed: ReadonlyMap<string, number> },
): Promise<void> {
  const { summary, destinations } = await client.qrCodes.analytics(orgId, id)
  const recorded = await recordedScans(dataDir, (scan) => [scan.qrCodeId, scan.rule, scan.arm].join())
  assert.equal(destinations.length, 4, 'every destination has scans')
  let total = 0
  for (const { ruleId, name, arm, scans, uniqueScans } of destinations) {
    assert.equal(uniqueScans, scans)
    assert.equal(scans, recorded.get([id, ruleId ?? '', arm ?? ''].join()))
    const rule = rules.find((one) => one.name === name)
    const { url } = rule?.split?.find((one) => one.name === arm)?.data ?? rule?.data ?? data
    const acknowledged = followed.get(url) ?? 0
    assert.ok(acknowledged <= scans, `${url}: ${acknowledged} acknowledged, ${scans} counted`)
    total += scans
  }
  assert.equal(total, summary.totalScans)
}
