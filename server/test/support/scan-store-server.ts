import { once } from 'node:events'
import { connect, createServer, type AddressInfo } from 'node:net'
import type { ClickHouse } from '../../src/analytics/store/clickhouse.ts'
import type { TestEngine } from '../../src/analytics/testing/engine.ts'
import { startTestStore, type TestStoreOptions } from '../../src/analytics/testing/store.ts'

export type StoreServer = {
  url: string
  /** The process behind the address; no connection is accepted while it is away. */
  engine: TestEngine
  store: ClickHouse
  stop: () => Promise<void>
}

/** A scan store that responds like a separate server. */
export async function startStoreServer(options: TestStoreOptions = {}): Promise<StoreServer> {
  const { engine, store, remove } = await startTestStore(options)
  const server = createServer((client) => {
    const upstream = connect(engine.socketPath)
    client.pipe(upstream).pipe(client)
    for (const socket of [client, upstream])
      socket
        .on('error', () => undefined)
        .on('close', () => {
          client.destroy()
          upstream.destroy()
        })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const stop = async () => {
    server.close()
    await remove()
  }
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/everscan`, engine, store, stop }
}
