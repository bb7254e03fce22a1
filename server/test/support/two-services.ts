import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, request as send, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createClusterStore } from '../../src/analytics/testing/cluster-store.ts'
import { createClient } from '@everscan/client/create-client.ts'
import { startStoreServer } from './scan-store-server.ts'
import { startService, type Service } from './service.ts'

/**
 * Starts two services over one PostgreSQL and one scan store. Requests to the address go to one and
 * the other in turn.
 */
export async function startTwoServices(env: Readonly<Record<string, string>>): Promise<Service> {
  const store = await startSharedStore()
  const shared = {
    CLICKHOUSE_URL: store.url,
    SECRET: randomBytes(24).toString('hex'),
    BOOTSTRAP_API_KEY: `evs_${randomBytes(24).toString('hex')}`,
    ...env,
  }
  const started: Service[] = []
  try {
    // The second one finds the organization of the first.
    for (let machine = 0; machine < 2; machine++) started.push(await startService(shared))
  } catch (error) {
    await Promise.all(started.map((service) => service.remove()))
    await store.stop()
    throw error
  }
  const [first, second] = started as [Service, Service]
  const balancer = await startBalancer([first.port, second.port])
  return {
    ...first,
    machines: [first, second],
    baseUrl: balancer.url,
    client: (more) => createClient({ baseUrl: balancer.url, apiKey: first.apiKey, ...more }),
    remove: async () => {
      await balancer.stop()
      await Promise.all([first.remove(), second.remove()])
      await store.stop()
    },
  }
}

/** An empty database on the cluster of `EVERSCAN_TEST_CLICKHOUSE_URL`, or else an engine. */
async function startSharedStore(): Promise<{ url: string; stop: () => Promise<void> }> {
  const { EVERSCAN_TEST_CLICKHOUSE_URL: cluster } = process.env
  if (cluster === undefined) return startStoreServer()
  const { url, remove } = await createClusterStore(cluster)
  return { url, stop: remove }
}

/** Hands each request on to the next of these ports of this machine, byte by byte. */
async function startBalancer(ports: readonly number[]): Promise<{ url: string; stop: () => Promise<void> }> {
  let requests = 0
  // As much as a front accepts.
  const server = createServer({ maxHeaderSize: 65_536 }, (request, response) => {
    handOn(request, response, ports[requests++ % ports.length] ?? 0)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

function handOn(request: IncomingMessage, response: ServerResponse, port: number): void {
  const { method, url, rawHeaders } = request
  const passed = send(
    // A connection for each: one that was kept might end just now.
    { host: '127.0.0.1', port, method, path: url, headers: pairsOf(rawHeaders), agent: false },
    (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.statusMessage, answer.rawHeaders)
      response.flushHeaders()
      answer.pipe(response)
      answer.on('error', () => response.destroy())
    },
  )
  passed.on('error', () => response.destroy())
  response.on('close', () => passed.destroy())
  request.pipe(passed)
}

function pairsOf(rawHeaders: readonly string[]): Record<string, string | string[]> {
  const headers: Record<string, string | string[]> = {}
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? ''
    const value = rawHeaders[index + 1] ?? ''
    const known = headers[name]
    headers[name] = known === undefined ? value : [known, value].flat()
  }
  return headers
}
