import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { afterEach, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { createTrustedProxies } from './client-address.ts'
import { OpenConnections } from './open-connections.ts'

let server: Server
let connections: OpenConnections
let responses: ServerResponse[]
const sockets = new Set<Socket>()

afterEach(() => {
  for (const socket of sockets) socket.destroy()
  sockets.clear()
  server.close().closeAllConnections()
})

async function start(connectionsMax: number): Promise<void> {
  const trustedProxies = createTrustedProxies(['127.0.0.9'])
  connections = new OpenConnections({ connectionsMax, trustedProxies })
  responses = []
  server = createServer((request, response) => {
    connections.use(request.socket)
    if (request.url === '/later') responses.push(response)
    else response.end()
  })
  server.on('connection', (socket) => connections.add(socket))
  server.listen(0, '0.0.0.0')
  await once(server, 'listening')
}

/** Opens a connection from a loopback address, for example 127.0.0.2. */
async function open(host: number): Promise<Socket> {
  const { port } = server.address() as AddressInfo
  const socket = connect({ port, host: '127.0.0.1', localAddress: `127.0.0.${host}` })
  sockets.add(socket)
  socket.on('error', () => undefined).resume()
  const accepted = once(server, 'connection')
  await Promise.all([once(socket, 'connect'), accepted])
  return socket
}

async function ask(socket: Socket, path = '/'): Promise<void> {
  const come = path === '/later' ? once(server, 'request') : once(socket, 'data')
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`)
  await come
}

const sizes = (): number[] => {
  const { all, network } = connections.closed()
  return [connections.size, all.idle, all.refused, network.idle, network.refused]
}

test('a network has a quarter of the connections, and its own longest idle one goes first', async () => {
  await start(8)
  const other = await open(2)
  const mine = [await open(3), await open(3)] as const
  await ask(mine[0])
  const third = await open(3)
  await once(mine[1], 'close')
  assert.deepEqual(sizes(), [3, 0, 0, 1, 0])
  await ask(third, '/later')
  await ask(mine[0], '/later')
  await once(await open(3), 'close')
  assert.deepEqual(sizes(), [3, 0, 0, 1, 1], 'both have a request in progress')
  for (const response of responses) response.end()
  await ask(third)
  await open(3)
  await once(mine[0], 'close')
  assert.deepEqual(sizes(), [3, 0, 0, 2, 1])
  assert.equal(other.closed, false)
})

test('a trusted proxy may have all connections, and gives way like others', async () => {
  await start(8)
  const proxied: Socket[] = []
  for (let count = 0; count < 8; count++) proxied.push(await open(9))
  assert.deepEqual(sizes(), [8, 0, 0, 0, 0])
  const client = await open(2)
  await once(proxied[0] as Socket, 'close')
  assert.deepEqual(sizes(), [8, 1, 0, 0, 0])
  await ask(client)
})

test('idle connections of two networks keep nobody out, nor do those whose request never ends', async () => {
  await start(40)
  for (let count = 0; count < 100; count++) {
    const socket = await open(2 + (count % 2))
    if (count % 3 === 0) socket.write('GET / HTTP/1.1\r\nHost: x\r\nX-Half: ')
  }
  assert.deepEqual(sizes(), [20, 0, 0, 80, 0])
  for (let host = 4; host < 60; host++) await ask(await open(host))
  assert.equal(connections.size, 40)
})

test('a new connection is refused if every other one has a request in progress', async () => {
  await start(4)
  for (let host = 2; host < 6; host++) await ask(await open(host), '/later')
  await once(await open(6), 'close')
  assert.deepEqual(sizes(), [4, 0, 1, 0, 0])
  responses[2]?.end()
  await wait(20)
  await ask(await open(6))
  assert.deepEqual(sizes(), [4, 1, 1, 0, 0])
})

test('closed connections count no longer', async () => {
  await start(8)
  for (let times = 0; times < 5; times++) {
    const socket = await open(2)
    await ask(socket)
    socket.destroy()
    while (connections.size > 0) await wait(5)
  }
  assert.deepEqual(sizes(), [0, 0, 0, 0, 0])
})
