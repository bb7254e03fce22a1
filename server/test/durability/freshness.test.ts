import assert from 'node:assert/strict'
import { Agent } from 'node:http'
import { after, before, describe, test } from 'node:test'
import { PermissionError, type Client } from '@everscan/client/create-client.ts'
import { testPostgres } from '../../src/db/testing/databases.ts'
import { seededRandom } from '@everscan/contract/testing/random.ts'
import { follow } from '../support/load.ts'
import { startService, type Service } from '../support/service.ts'

const isSoak = process.env['SOAK'] === '1'
const codesCount = 5
/** How long a front without notice of a change may be stale, with PostgreSQL. */
const staleMsMax = 1_000

type Installation = {
  name: string
  changes: number
  /** 0: the next scan sees the change, on any front. */
  staleMsMax: number
  env: () => Promise<Record<string, string>>
}
const postgres = async (): Promise<Record<string, string>> => ({
  DATABASE_URL: await (await testPostgres()).createDatabase(),
})
const several = { FRONT_PROCESSES: '2', API_PROCESSES: '2' }
const installations: Installation[] = [
  // Two fronts cover the case of one.
  ...(isSoak ? [{ name: 'SQLite, one front', changes: 500, staleMsMax: 0, env: async () => ({}) }] : []),
  { name: 'SQLite, two fronts and two APIs', changes: 150, staleMsMax: 0, env: async () => several },
  { name: 'PostgreSQL, one front', changes: 150, staleMsMax: 0, env: postgres },
  {
    name: 'PostgreSQL, two fronts and two APIs',
    changes: 80,
    staleMsMax,
    env: async () => ({ ...(await postgres()), ...several }),
  },
]

/** The expected response to a scan of a short code: the destination, or a status. */
type Expected = string | number

for (const { name, changes, staleMsMax: allowedMs, env } of installations)
  describe(`a scan right after a change: ${name}`, () => {
    let service: Service
    let client: Client
    let orgId: string
    before(async () => {
      service = await startService({ ...(await env()), RATE_LIMIT_PER_MINUTE: '0' })
      client = service.client()
      orgId = (await client.organizations.listMine())[0]?.id ?? ''
    })
    after(() => service.remove())

    // These reach every front: the kernel spreads new connections over the fronts.
    const connections = Array.from({ length: 12 }, () => new Agent({ keepAlive: true, maxSockets: 1 }))
    after(() => connections.forEach((agent) => agent.destroy()))
    const seen = async (shortCode: string, agent?: Agent): Promise<Expected> => {
      const { status, location } = await follow({ port: service.port, code: shortCode, agent })
      return location ?? status
    }
    /** Scans until the change is visible, and returns for how long it was not. */
    const staleFor = async (shortCode: string, expected: Expected, agent?: Agent): Promise<number> => {
      const fromMs = performance.now()
      for (let staleMs = 0; ; staleMs = performance.now() - fromMs) {
        const got = await seen(shortCode, agent)
        if (got === expected) return staleMs
        if (staleMs > 10_000) assert.equal(got, expected)
      }
    }

    test(`${changes * (isSoak ? 10 : 1)} updates, archives, deletes and creates: stale at most ${allowedMs} ms`, async (t) => {
      const random = seededRandom()
      const live: { id: string; shortCode: string; archived: boolean }[] = []
      let made = 0
      let stale = 0
      let slowestMs = 0

      const change = async (): Promise<{ shortCode: string; expected: Expected }> => {
        const url = `https://example.com/${++made}`
        const index = Math.floor(random() * live.length)
        const code = live[index]
        if (code === undefined || live.length < codesCount) {
          const shortCode = `FRESH${made}`
          // A scan of a code that does not exist yet: its cached response must not outlive the
          // creation.
          assert.equal(await seen(shortCode), 404)
          const { id } = await client.qrCodes.create(orgId, {
            type: 'URL',
            name: shortCode,
            data: { url },
            shortCode,
          })
          live.push({ id, shortCode, archived: false })
          return { shortCode, expected: url }
        }
        const { id, shortCode, archived } = code
        const kind = random()
        if (kind < 0.15) {
          await client.qrCodes.delete(orgId, id)
          live.splice(index, 1)
          return { shortCode, expected: 410 }
        }
        code.archived = kind < 0.4
        const status = code.archived ? 'ARCHIVED' : 'ACTIVE'
        await client.qrCodes.update(orgId, id, {
          data: { url },
          ...(archived !== code.archived && { status }),
        })
        return { shortCode, expected: code.archived ? 410 : url }
      }

      for (let done = 0; done < changes * (isSoak ? 10 : 1); done++) {
        const { shortCode, expected } = await change()
        const agent = connections[done % connections.length]
        const staleMs = await staleFor(shortCode, expected, agent)
        if (staleMs > 0) stale++
        slowestMs = Math.max(slowestMs, staleMs)
      }
      t.diagnostic(`${stale} of ${made} were stale, for ${Math.round(slowestMs)} ms at most`)
      if (allowedMs === 0) assert.equal(stale, 0)
      assert.ok(slowestMs <= allowedMs)
    })

    test('a revoked key is rejected on the next request', async () => {
      for (let round = 0; round < 10; round++) {
        const { id, key } = await client.apiKeys.create(orgId, { name: `Key ${round}`, role: 'EDITOR' })
        const other = service.client({ apiKey: key, retries: 0 })
        // Several, so that every API process has seen the key.
        for (let i = 0; i < 4; i++) assert.equal((await other.organizations.listMine()).length, 1)
        await client.apiKeys.revoke(orgId, id)
        for (let i = 0; i < 4; i++) await assert.rejects(other.organizations.listMine(), PermissionError)
      }
    })
  })
