// The catalogue's server dies, and its standby takes over.
import assert from 'node:assert/strict'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client as Api } from '@everscan/client/create-client.ts'
import { Client } from 'pg'
import { startPostgres, type TestPostgres, type TestStandby } from '../../src/db/testing/postgres.ts'
import { assertAccounts, assertNoneFailed, createCodes, type Codes } from '../support/accounts.ts'
import { scanOnce, startLoad } from '../support/load.ts'
import { startService, until, type Service } from '../support/service.ts'

const scansPerSecond = 100
const name = (index: number) => `Poster ${index}`

describe('a fail-over of the catalogue (PostgreSQL with a standby)', () => {
  let postgres: TestPostgres
  let standby: TestStandby
  let address: Address
  let url: string
  let service: Service
  let of: Codes
  let client: Api

  before(async () => {
    postgres = await startPostgres()
    url = await postgres.createDatabase()
    standby = await postgres.startStandby()
    // Acknowledged changes are on both, as somebody sets it who wants to lose nothing.
    await run(url, `alter database ${new URL(url).pathname.slice(1)} set synchronous_commit = on`)
    await run(url, `alter system set synchronous_standby_names = '*'`)
    await run(url, 'select pg_reload_conf()')
    address = await openAddress(url)
    service = await startService({
      DATABASE_URL: address.url,
      DATABASE_REPLICA_URL: standby.urlOf(url),
      TRUST_PROXY: '127.0.0.1',
      RATE_LIMIT_PER_MINUTE: '0',
    })
    client = service.client({ retries: 0 })
    of = await createCodes(service, 4)
  })
  after(async () => {
    await service.remove()
    address.close()
    await postgres.remove()
  })

  const create = (index: number) =>
    client.qrCodes.create(of.orgId, {
      type: 'URL',
      name: name(index),
      data: { url: `https://example.com/${index}` },
    })
  const reads = async (server: string): Promise<number> => {
    const text = await (await fetch(`${service.baseUrl}/metrics`)).text()
    return Number(new RegExp(`replica_reads_total\\{[^}]*server="${server}"[^}]*\\} (\\d+)`).exec(text)?.[1])
  }

  test('lists come from the standby, and have what was created a moment before', async (t) => {
    for (let index = 0; index < 50; index++) {
      const { id } = await create(index)
      const { data } = await client.qrCodes.list(of.orgId, { limit: 1 })
      assert.equal(data[0]?.id, id)
    }
    const [ofStandby, ofServer] = [await reads('replica'), await reads('primary')]
    t.diagnostic(`${ofStandby} lists of the standby, ${ofServer} of the server`)
    assert.ok(ofStandby > 0)
  })

  test('the standby takes over: redirects go on, and nothing that was acknowledged is lost', async (t) => {
    const load = startLoad({
      port: service.port,
      codes: of.codes.map((code) => code.shortCode),
      scansPerSecond,
    })
    t.after(() => load.stop())
    const created: { id: string; shortCode: string }[] = []
    const stopped = new AbortController()
    const creating = (async () => {
      for (let index = 1_000; !stopped.signal.aborted; index++) {
        await create(index).then(
          ({ id, shortCode }) => created.push({ id, shortCode }),
          () => {},
        )
        await sleep(50)
      }
    })()
    await until('some are created', () => created.length >= 10, 30_000)
    postgres.crash()
    const diedMs = performance.now()
    const known = created.length
    await sleep(1_000)
    await run(standby.urlOf(url), 'select pg_promote()')
    address.leadTo(standby.urlOf(url))
    await until('codes are created again', () => created.length > known, 60_000)
    t.diagnostic(`codes are created again after ${Math.round(performance.now() - diedMs)} ms`)
    await until('more are created', () => created.length > known + 10, 30_000)
    stopped.abort()
    await creating
    for (const { id, shortCode } of created) {
      assert.equal((await client.qrCodes.read(of.orgId, id)).shortCode, shortCode)
      assert.equal(await scanOnce({ port: service.port, code: shortCode }), 302)
    }
    await assertNoneFailed(load)
    await assertAccounts(service, of, [load])
    const { data } = await client.qrCodes.list(of.orgId, { limit: 1 })
    assert.equal(data[0]?.id, created.at(-1)?.id, 'what is no standby any more is not read')
    t.diagnostic(`${created.length} codes and ${load.total().acknowledged} scans, none lost or twice`)
  })
})

type Address = {
  url: string
  /** Ends all connections. The next ones lead to another server. */
  leadTo: (url: string) => void
  close: () => void
}

/** An address that can lead to another server, as those of clusters do. */
async function openAddress(first: string): Promise<Address> {
  let target = Number(new URL(first).port)
  const sockets = new Set<Socket>()
  const server = createServer((from) => {
    const to = connect(target, '127.0.0.1')
    for (const socket of [from, to]) {
      sockets.add(socket)
      socket.once('close', () => {
        sockets.delete(socket)
        from.destroy()
        to.destroy()
      })
      socket.on('error', () => {})
    }
    from.pipe(to).pipe(from)
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const url = new URL(first)
  url.port = String((server.address() as AddressInfo).port)
  const endAll = (): void => sockets.forEach((socket) => socket.destroy())
  return {
    url: url.href,
    leadTo: (next) => {
      target = Number(new URL(next).port)
      endAll()
    },
    close: () => {
      server.close()
      endAll()
    },
  }
}

async function run(connectionString: string, statement: string): Promise<void> {
  const client = new Client({ connectionString })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
