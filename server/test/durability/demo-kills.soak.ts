// `./everscan start --demo`, killed at any moment and started again, ends with exactly one demo,
// whose figures equal its ledger. `./everscan demo remove`, killed and run again, ends with none.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from '@everscan/client/create-client.ts'
import { seededRandom } from '@everscan/contract/testing/random.ts'
import { testPostgres } from '../../src/db/testing/databases.ts'
import {
  demoClient,
  everscan,
  readDemo,
  requireDemo,
  untilIngested,
  wholeDemo,
  type Demo,
  type Environment,
} from '../support/demo.ts'
import { inherited, startService, until, type Service } from '../support/service.ts'

const killsPerMoment = process.env['SOAK'] === '1' ? 10 : 2
/** Kills follow a moment within this time. */
const killWithinMs = 150

const catalogues = [
  { name: 'SQLite', newDatabase: async (): Promise<Environment> => ({}) },
  {
    name: 'PostgreSQL',
    newDatabase: async (): Promise<Environment> => ({
      DATABASE_URL: await (await testPostgres()).createDatabase(),
    }),
  },
]

/** Signs of what a preparation has just begun, by its folders. */
const moments: readonly ((names: readonly string[]) => boolean)[] = [
  (names) => names.some((name) => name.endsWith('.unfinished')),
  (names) => names.some((name) => name.endsWith('journal')),
  (names) => names.some((name) => /^demo-[0-9a-f]{8}$/.test(name)),
]

/** Waits for a moment, or for the end of the preparation. */
async function reach(service: Service, isReached: (typeof moments)[number]): Promise<void> {
  const root = join(service.dataDir, 'journal')
  const starts = service.output().split('all parts are up').length
  for (;;) {
    const names = existsSync(root) ? readdirSync(root, { recursive: true }).map(String) : []
    if (isReached(names) || service.output().split('all parts are up').length > starts) return
    await sleep(2)
  }
}

for (const { name, newDatabase } of catalogues)
  describe(`kills around a demo (${name})`, () => {
    const random = seededRandom()
    let env: Environment
    let service: Service
    let demo: Demo
    let client: Client

    before(async () => {
      env = { ...(await newDatabase()), RATE_LIMIT_PER_MINUTE: '0' }
      service = await startService(env, { words: ['start', '--demo'], wait: false })
    })
    after(() => service.remove())

    test('the preparation', async (t) => {
      const states: string[] = []
      for (const isReached of moments.flatMap((moment) =>
        Array.from({ length: killsPerMoment }, () => moment),
      )) {
        await reach(service, isReached)
        await sleep(random() * killWithinMs)
        await service.kill()
        const found = await readDemo(service, env).catch(() => undefined)
        states.push(found === undefined ? 'none' : found.plan.isWritten ? 'written' : 'begun')
        service.launch()
      }
      t.diagnostic(states.join(', '))
      await service.waitUntilReady()
      demo = await requireDemo(service, env)
      assert.equal(demo.plan.isWritten, true)
      client = await demoClient(service, env, demo.orgId)
      await untilIngested(client, demo)
      await assertFigures()
      const { output } = await everscan(service, env, 'organizations', 'list', '--json')
      const names = (JSON.parse(output) as { name: string }[]).map((one) => one.name)
      assert.equal(names.filter((one) => one.startsWith('Demo')).length, 1)
      const folders = readdirSync(join(service.dataDir, 'journal')).filter((one) => one.startsWith('demo'))
      assert.equal(folders.length, 1, folders.join())
    })

    test('all processes while the scans are ingested', async () => {
      await service.kill()
      service.launch()
      await service.waitUntilReady()
      await untilIngested(client, demo)
      await assertFigures()
    })

    test('the removal', async () => {
      const main = join(import.meta.dirname, '..', '..', 'src', 'main.mjs')
      for (let kill = 0; kill < 3; kill++) {
        const settings = { DATA_DIR: service.dataDir, PORT: String(service.port), ...env }
        const child = spawn(process.execPath, [main, 'demo', 'remove', '--yes'], {
          env: { ...inherited(), ...settings },
          stdio: 'ignore',
        })
        await sleep(200 + random() * 1_000)
        child.kill('SIGKILL')
      }
      const { code, errors } = await everscan(service, env, 'demo', 'remove', '--yes')
      assert.equal(code, 0, errors)
      assert.equal(await readDemo(service, env), undefined)
      for (const { shortCode } of demo.plan.codes)
        await until('its codes are gone', async () => {
          const { status } = await fetch(`${service.baseUrl}/${shortCode}`, { redirect: 'manual' })
          return status === 410
        })
      assert.ok(!/unknown short codes|catalogue was put back/.test(service.output()))
    })

    async function assertFigures(): Promise<void> {
      const { summary } = await client.analytics.ofOrganization(demo.orgId, wholeDemo(demo.plan))
      const people = demo.ledger.filter(({ isBot }) => !isBot)
      assert.equal(summary.totalScans, people.length)
      assert.equal(summary.botScans, demo.ledger.length - people.length)
      assert.equal(summary.uniqueScans, people.filter(({ isUnique }) => isUnique).length)
      const { data } = await client.qrCodes.list(demo.orgId, { limit: 100 })
      for (const { id, name: codeName, totalScans, uniqueScans } of data) {
        const scans = people.filter(({ qrCodeId }) => qrCodeId === id)
        const uniques = scans.filter(({ isUnique }) => isUnique)
        assert.deepEqual([totalScans, uniqueScans], [scans.length, uniques.length], codeName)
      }
    }
  })
