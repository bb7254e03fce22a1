import assert from 'node:assert/strict'
import { Agent, request } from 'node:http'
import { after, before, describe, test } from 'node:test'
import { PermissionError, type Client } from '@everscan/client/create-client.ts'
import { testPostgres } from '../../src/db/testing/databases.ts'
import { seededRandom } from '@everscan/contract/testing/random.ts'
import { startDnsServer, type Zone } from '../../src/api/testing/dns-server.ts'
import { hasVariants } from '@everscan/contract/testing/variants.ts'
import { ChangesOfCodes, type Asked, type Changed, type Got } from '../support/changes-of-codes.ts'
import { newVisitor } from '../support/load.ts'
import { startService, type Service } from '../support/service.ts'
import { sendSignal } from '../../src/processes/testing/signals.ts'

const isSoak = process.env['SOAK'] === '1'
/** Scans after a change, on connections of their own: they reach every front. */
const scansEach = 4

type Installation = {
  name: string
  changes: number
  frontCount?: number
  env: () => Promise<Record<string, string>>
}
const postgres = async (): Promise<Record<string, string>> => ({
  DATABASE_URL: await (await testPostgres()).createDatabase(),
})
const several = { FRONT_PROCESSES: '2', API_PROCESSES: '2' }
const installations: Installation[] = [
  // Two fronts cover the case of one.
  ...(isSoak
    ? [
        { name: 'SQLite, one front', changes: 400, env: async () => ({}) },
        { name: 'PostgreSQL, one front', changes: 400, env: postgres },
      ]
    : []),
  ...(hasVariants
    ? [
        {
          name: 'SQLite, two fronts and two APIs',
          changes: isSoak ? 400 : 60,
          frontCount: 2,
          env: async () => several,
        },
      ]
    : []),
  {
    name: 'PostgreSQL, two fronts and two APIs',
    changes: isSoak ? 400 : 90,
    frontCount: 2,
    env: async () => ({ ...(await postgres()), ...several }),
  },
]

// For the whole file: a server started in a hook ends with the hook.
const zone: Zone = {}
const dns = await startDnsServer(zone)
after(() => dns.close())

for (const { name, changes, env, frontCount = 1 } of installations)
  describe(`a scan right after a change: ${name}`, () => {
    let service: Service
    let client: Client
    let orgId: string
    before(async () => {
      service = await startService({
        ...(await env()),
        RATE_LIMIT_PER_MINUTE: '0',
        DNS_SERVERS: dns.address,
        TRUST_PROXY: '127.0.0.1',
      })
      client = service.client()
      orgId = (await client.organizations.listMine())[0]?.id ?? ''
    })
    after(() => service.remove())

    const seen = (asked: Asked): Promise<Got> => scanAfresh(service.port, asked)

    test(`${changes} changes of every kind are seen by each scan right after their answer`, async (t) => {
      const changing = new ChangesOfCodes(client, { orgId, random: seededRandom(), scan: seen })
      await changing.prepare(zone)
      const stale = new Map<string, number>()
      const kinds = new Map<string, number>()
      for (let made = 0; made < changes; made++) {
        const { kind, asked, expected } = await changing.next()
        kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
        const all = await Promise.all(Array.from({ length: scansEach }, () => seen(asked)))
        for (const got of all)
          if (!isExpected(got, expected)) {
            stale.set(kind, (stale.get(kind) ?? 0) + 1)
            t.diagnostic(`${kind}: expected ${JSON.stringify(expected)}, got ${got.status} ${got.location}`)
          }
        // Each front remembers the answer, so that the next change has to reach it.
        await Promise.all(Array.from({ length: scansEach }, () => seen(asked)))
      }
      const sum = [...stale.values()].reduce((total, one) => total + one, 0)
      t.diagnostic(`${sum} of ${changes * scansEach} scans after ${changes} changes were stale`)
      t.diagnostic([...kinds].map(([kind, count]) => `${kind} ${count}`).join(', '))
      assert.deepEqual([...stale], [])
    })

    if (frontCount > 1)
      test('a front that hangs holds up no answer for long, and is not stale when it goes on', async (t) => {
        const { id, shortCode } = await client.qrCodes.create(orgId, {
          type: 'URL',
          name: 'Hanging',
          data: { url: urlOf('first') },
        })
        const asked = { path: `/${shortCode}` }
        // Both fronts remember the code.
        await Promise.all(Array.from({ length: 12 }, () => seen(asked)))
        const [hanging = 0] = service.pids('front')
        sendSignal(hanging, 'SIGSTOP')
        const tookMs: number[] = []
        const agents = Array.from({ length: 12 }, () => new Agent({ keepAlive: true, maxSockets: 1 }))
        const send = sendTo(service)
        let waiting: Promise<Got[]>
        try {
          // One of these connections is to the other front.
          const agent = await Promise.any(
            agents.map(async (one) => {
              await send({ agent: one, path: asked.path })
              return one
            }),
          )
          for (const destination of ['second', 'third', 'last']) {
            const fromMs = performance.now()
            const path = `/api/v1/organizations/${orgId}/qr-codes/${id}`
            assert.equal(
              await send({ agent, method: 'PUT', path, body: { data: { url: urlOf(destination) } } }),
              200,
            )
            tookMs.push(Math.round(performance.now() - fromMs))
          }
          // Some of them wait for the front that hangs.
          waiting = Promise.all(Array.from({ length: 12 }, () => seen(asked)))
        } finally {
          sendSignal(hanging, 'SIGCONT')
        }
        for (const agent of agents) agent.destroy()
        assert.ok(Math.max(...tookMs) < 3_000)
        t.diagnostic(`changes took ${tookMs.join(', ')} ms`)
        assert.deepEqual(new Set((await waiting).map(({ location }) => location)), new Set([urlOf('last')]))
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

/** Scans once on a new connection, which the kernel gives to one of the fronts. */
function scanAfresh(port: number, { path, host }: Asked): Promise<Got> {
  const headers = { ...newVisitor(), ...(host !== undefined && { host }) }
  return new Promise((resolve, reject) => {
    const asking = request({ host: '127.0.0.1', port, path, headers, agent: false }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => (text += chunk))
      response.on('error', reject)
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, location: response.headers.location, text }),
      )
    })
    asking.on('error', reject)
    asking.end()
  })
}

function isExpected(got: Got, { status, location, text }: Changed['expected']): boolean {
  return got.status === status && got.location === location && (text === undefined || text.test(got.text))
}

const urlOf = (destination: string) => `https://example.com/${destination}`

type Sent = { agent: Agent; method?: string; path: string; body?: object }

/** Returns a function that sends a request over a connection, and returns its status. */
function sendTo({ port, apiKey }: Service): (sent: Sent) => Promise<number> {
  const headers = { 'x-api-key': apiKey, 'content-type': 'application/json', ...newVisitor() }
  return ({ agent, method = 'GET', path, body }) =>
    new Promise((resolve, reject) => {
      const sending = request({ host: '127.0.0.1', port, path, method, headers, agent }, (response) => {
        response.resume().on('end', () => resolve(response.statusCode ?? 0))
      })
      sending.on('error', reject)
      sending.end(body === undefined ? undefined : JSON.stringify(body))
    })
}
