import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { testPostgres } from '../../src/db/testing/databases.ts'
import { seededRandom } from '@everscan/contract/testing/random.ts'
import { assertAccounts, createCodes } from '../support/accounts.ts'
import { startLoad } from '../support/load.ts'
import { startService, until, type Service } from '../support/service.ts'

const isSoak = process.env['SOAK'] === '1'
const roles = ['front', 'api', 'worker', 'engine'] as const
const scansPerSecond = 200
const codesCount = 4

/** One in this many kills hits two processes at once. */
const pairEvery = 6

const catalogues = [
  { name: 'SQLite', kills: isSoak ? 1000 : 16, env: async () => ({}) },
  {
    name: 'PostgreSQL',
    kills: isSoak ? 300 : 6,
    env: async () => ({ DATABASE_URL: await (await testPostgres()).createDatabase() }),
  },
]

for (const { name, kills, env } of catalogues)
  describe(`kill -9 under ${scansPerSecond} scans/s on ${name}`, () => {
    let service: Service | undefined
    after(() => service?.remove())

    test(`after ${kills} kills: acknowledged ⊆ analytics ⊆ sent, none twice`, async (t) => {
      const random = seededRandom()
      const oneOf = <T>(values: readonly T[]): T | undefined => values[Math.floor(random() * values.length)]
      const running = await startService({ ...(await env()), TRUST_PROXY: '127.0.0.1' })
      service = running
      const of = await createCodes(running, codesCount)
      const load = startLoad({
        port: running.port,
        codes: of.codes.map((code) => code.shortCode),
        scansPerSecond,
      })
      t.after(() => load.stop())

      const killed: Record<string, number> = {}
      const kill = async (): Promise<void> => {
        const role = oneOf(roles) ?? 'front'
        // The other processes may die while they start; a front that never serves would leave
        // nothing to lose.
        const answered = load.total().acknowledged + 10 + random() * 150
        if (role === 'front')
          await until('scans are answered', () => load.total().acknowledged >= answered, 30_000)
        await until(`there is a ${role} to kill`, () => running.pids(role).length > 0)
        running.signal([role], 'SIGKILL')
        killed[role] = (killed[role] ?? 0) + 1
      }
      for (let done = 0; done < kills; done++) {
        if (done % pairEvery !== 0) await sleep(random() * 1800)
        await kill()
      }
      await sleep(1000)
      await load.stop()

      const { sent, acknowledged } = load.total()
      await running.waitUntilReady()
      const counted = await assertAccounts(running, of, [load])
      t.diagnostic(
        `killed ${JSON.stringify(killed)}: ${acknowledged} acknowledged ≤ ${counted} counted ≤ ${sent} sent; ` +
          `${load.refused()} refused while the front was down`,
      )
      assert.ok(acknowledged > 10 * kills, 'enough scans were at stake')
    })
  })
