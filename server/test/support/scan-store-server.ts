import { once } from 'node:events'
import { connect, createServer, type AddressInfo } from 'node:net'
import type { ClickHouse } from '../../src/analytics/store/clickhouse.ts'
import { startTestStore } from '../../src/analytics/testing/store.ts'

/** A scan store that responds like a separate server. */
export async function startStoreServer({ schema }: { schema?: 'none' } = {}): Promise<{
  url: string
  store: ClickHouse
  stop: () => Promise<void>
}> {
  const { engine, store, remove } = await startTestStore({ ...(schema !== undefined && { schema }) })
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
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/everscan`, store, stop }
}
