import assert from 'node:assert/strict'
import { Agent, get } from 'node:http'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { testPostgres } from '../../src/db/testing/databases.ts'
import { phones } from '../support/phones.ts'
import { startStoreServer } from '../support/scan-store-server.ts'
import { startService, until, type Service } from '../support/service.ts'
import { sendSignal } from '../../src/processes/testing/signals.ts'

const isSoak = process.env['SOAK'] === '1'
const scanLimit = isSoak ? 1_000 : 300
const connections = 64

type Got = { destinations: number; closed: number; broken: number }

test(`${scanLimit} answers for ${connections} connections to four fronts on two machines: exactly as many, and with kill -9 never more`, async (t) => {
  const store = await startStoreServer({ schema: 'none' })
  const machines: Service[] = []
  try {
    const shared = {
      SECRET: 'a secret that both machines have',
      DATABASE_URL: await (await testPostgres()).createDatabase(),
      CLICKHOUSE_URL: store.url,
      TRUST_PROXY: '127.0.0.1',
      FRONT_PROCESSES: '2',
      RATE_LIMIT_PER_MINUTE: '0',
    }
    for (const settings of [shared, shared]) machines.push(await startService(settings))
    const [first] = machines
    assert.ok(first)
    const client = first.client()
    const orgId = (await client.organizations.listMine())[0]?.id ?? ''
    const make = async (shortCode: string) => {
      const data = { url: 'https://example.com/' }
      // A machine that other work slows down must not answer without the count.
      const access = { scanLimit, whenUnknown: 'closed' as const }
      return client.qrCodes.create(orgId, { type: 'URL', name: shortCode, shortCode, data, access })
    }
    const exact = await make('EXACT00')
    const spread = await scanAll(machines, exact.shortCode)
    const rest = await scanUntilFull(machines, exact.shortCode)
    assert.equal(spread.destinations + rest, scanLimit)
    assert.equal(spread.broken, 0)
    await until('the code is full', async () => (await client.qrCodes.read(orgId, exact.id)).state === 'FULL')

    const killed = await make('KXXXED0')
    const pids = machines.flatMap((machine) => machine.pids('front'))
    const scanning = scanAll(machines, killed.shortCode)
    for (const pid of pids.slice(0, 3)) {
      await sleep(20)
      sendSignal(pid, 'SIGKILL')
    }
    const crashed = await scanning
    for (const machine of machines) await machine.waitUntilReady()
    const afterwards = await scanUntilFull(machines, killed.shortCode)
    t.diagnostic(
      `with kills: ${crashed.destinations} and ${afterwards} of ${scanLimit}, ${crashed.broken} broken`,
    )
    assert.ok(crashed.destinations + afterwards <= scanLimit)
    assert.equal((await client.qrCodes.read(orgId, killed.id)).access?.scanCount, scanLimit)
  } finally {
    for (const machine of machines) await machine.remove()
    await store.stop()
  }
})

/** Scans a code more often than its limit, with all connections at once. */
async function scanAll(machines: readonly Service[], code: string): Promise<Got> {
  const got: Got = { destinations: 0, closed: 0, broken: 0 }
  let left = Math.ceil(scanLimit * 1.2)
  await Promise.all(
    Array.from({ length: connections }, async (_, index) => {
      const { port } = machines[index % machines.length] ?? {}
      const agent = new Agent({ keepAlive: true, maxSockets: 1 })
      while (left-- > 0) {
        const status = await scan(port ?? 0, { code, agent })
        if (status === 302) got.destinations++
        else if (status === 410) got.closed++
        else got.broken++
      }
      agent.destroy()
    }),
  )
  return got
}

/** Scans until the leases are back and used: returns the further destinations. */
async function scanUntilFull(machines: readonly Service[], code: string): Promise<number> {
  await sleep(1_200)
  let destinations = 0
  for (let closed = 0; closed < 8;) {
    const { port = 0 } = machines[closed % machines.length] ?? {}
    const status = await scan(port, { code })
    if (status === 302) destinations++
    else closed++
  }
  return destinations
}

let scanners = 0

/** Returns the status; 0 if the connection broke. */
function scan(port: number, { code, agent }: { code: string; agent?: Agent }): Promise<number> {
  const number = scanners++
  const headers = {
    'user-agent': phones[number % phones.length] ?? '',
    'x-forwarded-for': `203.0.${Math.floor(number / 250) % 250}.${number % 250}`,
  }
  return new Promise((resolve) => {
    get({ port, host: '127.0.0.1', path: `/${code}`, headers, ...(agent && { agent }) }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode ?? 0))
    }).on('error', () => resolve(0))
  })
}
