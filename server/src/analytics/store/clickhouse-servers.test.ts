import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { after, afterEach, describe, it } from 'node:test'
import { startTestStore } from '../testing/store.ts'
import { migrateScanStore } from './migrations.ts'
import { openClickHouse } from './open-clickhouse.ts'
import { FatalError } from '../../errors.ts'
import { ScanStoreUnavailable } from '../scan-store.ts'

const { engine, store, remove } = await startTestStore()
const closings: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closings.splice(0)) await close()
})
after(remove)

/** Starts a server on a port of its own: the engine, as all servers here. */
async function startServer(): Promise<{ host: string; stop: () => Promise<void> }> {
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const upstream = connect(engine.socketPath)
    client.pipe(upstream).pipe(client)
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket
        .on('error', () => undefined)
        .on('close', () => {
          client.destroy()
          upstream.destroy()
        })
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const stop = async (): Promise<void> => {
    for (const socket of sockets) socket.destroy()
    await new Promise<void>((resolve) => {
      server.close(() => resolve())
    })
  }
  closings.push(stop)
  return { host: `127.0.0.1:${(server.address() as AddressInfo).port}`, stop }
}

const isRefusal = (error: Error) => /two of its hosts are the same server/.test(error.message)

describe('a store on servers', () => {
  it('of one server works as the embedded one', async () => {
    const { host } = await startServer()
    const server = openClickHouse({ url: `http://${host}/everscan` })
    closings.push(() => server.close())
    await migrateScanStore(server)
    assert.equal(await server.replicas(), undefined)
    assert.equal(await server.caughtUp(async () => 'done'), 'done')
    assert.equal(await server.ping(), true)
  })

  it('refuses two hosts that are the same server', async () => {
    const [one, two] = [await startServer(), await startServer()]
    const twice = openClickHouse({ url: `http://${one.host},${two.host}/everscan` })
    closings.push(() => twice.close())
    await assert.rejects(
      twice.createDatabase(),
      (error: Error) => error instanceof FatalError && isRefusal(error),
    )
    // While the service runs, that is an outage.
    await assert.rejects(
      twice.select('select 1'),
      (error: Error) => error instanceof ScanStoreUnavailable && isRefusal(error),
    )
  })

  it('moves on to the next host when one does not answer, and lags until it has caught up', async () => {
    const [one, two] = [await startServer(), await startServer()]
    const both = openClickHouse(
      { url: `http://${one.host},${two.host}/everscan` },
      { kind: 'replicated', replicas: 2, onCluster: undefined },
    )
    closings.push(() => both.close())
    const before = await both.replicas()
    assert.equal(before?.majority, 2)
    assert.equal(before?.pinned, before?.all[0])
    await one.stop()
    await assert.rejects(both.select('select 1'), ScanStoreUnavailable)
    assert.deepEqual(await both.select('select 1 as one'), [{ one: 1 }])
    const later = await both.replicas()
    assert.equal(later?.pinned, later?.all[1])
    // The tables of the engine are not replicated, so nothing can be waited for.
    await assert.rejects(
      both.caughtUp(async () => 'done'),
      /its replica lags behind the others/,
    )
    await assert.rejects(before?.pinned.select('select 1') ?? Promise.resolve(), ScanStoreUnavailable)
  })

  it('is unavailable when no host answers', async () => {
    const nobody = openClickHouse({ url: 'http://127.0.0.1:1,127.0.0.1:2/everscan' })
    closings.push(() => nobody.close())
    await assert.rejects(nobody.select('select 1'), ScanStoreUnavailable)
    assert.equal(await nobody.ping(), false)
  })

  it('is the embedded one without any question', async () => {
    assert.equal(await store.replicas(), undefined)
    assert.equal(await store.caughtUp(async () => 'done'), 'done')
  })
})
