import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, test, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { watchBody, type ArrivalLimits } from './body-watch.ts'
import { Forward } from '../forward.ts'

const dir = mkdtempSync(join(tmpdir(), 'everscan-bodies-'))
after(() => rmSync(dir, { recursive: true }))

const arrival: ArrivalLimits = {
  bodyMs: 400,
  bytesPerSecondMin: 10_000,
  pauseMs: 300,
  lookMs: 20,
  lingerMs: 200,
}
const upload = '/api/v1/organizations/org_1/moves'
const answer408 = (socket: { end: (text: string) => void }) =>
  socket.end('HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 4\r\n\r\nlate')

/** Starts a front of which only the bodies matter. `bytes` is what its API has received. */
async function startFront(t: TestContext, handle: RequestListener, limits = arrival) {
  const socketPath = join(dir, `${t.name.length}-${performance.now()}.sock`)
  const seen = { bytes: 0, ended: false, brokenOff: false }
  const api = createServer((request, response) => {
    request.on('close', () => (seen.brokenOff ||= !request.complete))
    handle(request, response)
    request.on('end', () => (seen.ended = true))
    request.on('data', (chunk: Buffer) => (seen.bytes += chunk.length))
  }).listen(socketPath)
  await once(api, 'listening')
  const forward = new Forward({ socketPaths: [socketPath], beforeChangeAnswer: async () => {} })
  const front = createServer({ requestTimeout: 0 }, (request, response) => {
    watchBody({ request, response, answer408 }, limits)
    forward.forward(request, response, { trail: [] })
  }).listen(0, '127.0.0.1')
  await once(front, 'listening')
  t.after(() => {
    forward.close()
    for (const server of [front, api]) server.close().closeAllConnections()
  })
  return { port: (front.address() as AddressInfo).port, seen }
}

/** Sends the head of a request with a body of so many bytes. */
function begin(port: number, path: string, bytes: number, connection = 'close'): Socket {
  // It goes on although the other side has ended, as a client may do on purpose.
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  after(() => socket.destroy())
  socket.on('error', () => undefined)
  const headers = `Host: x\r\nConnection: ${connection}\r\nContent-Length: ${bytes}`
  socket.write(`POST ${path} HTTP/1.1\r\n${headers}\r\n\r\n`)
  return socket
}

/** Sends so many bytes a second, in pieces, until all are sent or the connection is closed. */
async function send(socket: Socket, bytes: number, perSecond: number): Promise<void> {
  const fromMs = performance.now()
  for (let sent = 0; sent < bytes && socket.writable;) {
    const due = Math.min(bytes, Math.ceil(((performance.now() - fromMs) / 1000) * perSecond))
    if (due > sent) socket.write(Buffer.alloc(due - sent))
    sent = Math.max(sent, due)
    await sleep(20)
  }
}

test('requests on a kept connection that are answered before their body leave nothing on it', async (t) => {
  const server = createServer((request, response) => {
    watchBody({ request, response, answer408 }, { ...arrival, bodyMs: 60_000 })
    response.end('no')
    request.resume()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close().closeAllConnections())
  const accepted = once(server, 'connection') as Promise<[Socket]>
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
  const [socket] = await accepted
  const left: number[] = []
  for (let count = 0; count < 5; count++) {
    const finished = once(server, 'request').then(async ([, response]: ServerResponse[]) => response)
    client.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\n')
    const response = await finished
    if (response?.writableFinished === false) await once(response, 'finish')
    client.write('rest')
    await once(response?.req as IncomingMessage, 'close')
    left.push(socket.listenerCount('close'))
  }
  assert.equal(new Set(left).size, 1, left.join(', '))
})

const answerAtEnd: RequestListener = (request, response) => {
  request.once('end', () => response.writeHead(202, { connection: 'close' }).end('taken'))
}

test('a file that keeps its rate passes, although it takes four times the time of a body', async (t) => {
  const { port, seen } = await startFront(t, answerAtEnd)
  const socket = begin(port, upload, 32_000)
  const answered = text(socket)
  await send(socket, 32_000, 20_000)
  assert.match(await answered, /^HTTP\/1.1 202 [^]*taken/)
  assert.deepEqual(seen, { bytes: 32_000, ended: true, brokenOff: false })
})

test('408: the same body for a path without files', async (t) => {
  const { port, seen } = await startFront(t, answerAtEnd)
  const fromMs = performance.now()
  const socket = begin(port, '/api/v1/organizations/org_1/qr-codes/batch', 32_000)
  const answered = text(socket)
  await send(socket, 32_000, 20_000)
  assert.match(await answered, /^HTTP\/1.1 408 /)
  const tookMs = performance.now() - fromMs
  assert.ok(tookMs > 380 && tookMs < 1_200, `${tookMs} ms`)
  assert.equal(seen.brokenOff, true)
})

test('408: a file that stops coming, within the time of a pause; what it began is broken off', async (t) => {
  const { port, seen } = await startFront(t, answerAtEnd)
  const socket = begin(port, upload, 60_000)
  const answered = text(socket)
  await send(socket, 30_000, 30_000)
  const fromMs = performance.now()
  assert.match(await answered, /^HTTP\/1.1 408 /)
  const tookMs = performance.now() - fromMs
  assert.ok(tookMs > 150 && tookMs < 1_000, `${tookMs} ms`)
  assert.deepEqual(seen, { bytes: 30_000, ended: false, brokenOff: true })
})

test('408: a file that never begins to come', async (t) => {
  const { port } = await startFront(t, answerAtEnd)
  const fromMs = performance.now()
  assert.match(await text(begin(port, upload, 60_000)), /^HTTP\/1.1 408 /)
  const tookMs = performance.now() - fromMs
  assert.ok(tookMs > 380 && tookMs < 1_200, `${tookMs} ms`)
})

test('408: a file that dribbles; its connection is closed, although it goes on', async (t) => {
  const { port } = await startFront(t, answerAtEnd)
  const fromMs = performance.now()
  const socket = begin(port, upload, 60_000)
  const answered = text(socket)
  const closed = new Promise((resolve) => socket.once('close', resolve))
  await send(socket, 60_000, 3_000)
  assert.match(await answered, /^HTTP\/1.1 408 /)
  await closed
  // A quarter of the rate uses up the credit of 400 ms in 570 ms.
  const tookMs = performance.now() - fromMs
  assert.ok(tookMs > 500 && tookMs < 2_000, `${tookMs} ms`)
})

test('bytes that came early are no credit for a longer pause', async (t) => {
  const { port } = await startFront(t, answerAtEnd)
  const socket = begin(port, upload, 2_000_000)
  socket.write(Buffer.alloc(1_000_000))
  const fromMs = performance.now()
  assert.match(await text(socket), /^HTTP\/1.1 408 /)
  const tookMs = performance.now() - fromMs
  assert.ok(tookMs < 1_200, `${tookMs} ms`)
})

test('time in which the API takes nothing is not that of the client', async (t) => {
  const { port } = await startFront(t, (request, response) => {
    request.pause()
    setTimeout(() => request.resume(), 1_500)
    answerAtEnd(request, response)
  })
  const bytes = 8_000_000
  const socket = begin(port, upload, bytes)
  const answered = text(socket)
  socket.write(Buffer.alloc(bytes))
  assert.match(await answered, /^HTTP\/1.1 202 /)
})

test('an answered request has the time of a body for the rest of its file', async (t) => {
  const { port } = await startFront(t, (_request, response) => response.writeHead(401).end('no'))
  const fromMs = performance.now()
  const socket = begin(port, upload, 1_000_000, 'keep-alive')
  let answered = ''
  socket.on('data', (chunk) => (answered += String(chunk)))
  const closed = new Promise((resolve) => socket.once('close', resolve))
  await send(socket, 1_000_000, 20_000)
  await closed
  assert.match(answered, /^HTTP\/1.1 401 /)
  const tookMs = performance.now() - fromMs
  assert.ok(tookMs > 380 && tookMs < 1_500, `${tookMs} ms`)
})

test('a file has at most the time of the largest one, whatever it counts as bytes', async (t) => {
  const preview = '/api/v1/organizations/org_1/qr-codes/bulk-import/preview'
  const bytesPerSecondMin = 5 * 1024 ** 2
  const { port } = await startFront(t, answerAtEnd, { ...arrival, bytesPerSecondMin })
  const fromMs = performance.now()
  const socket = begin(port, preview, 4 * 1024 ** 3)
  const answered = text(socket)
  // 10 MiB are the largest such file: 400 ms, and 2 s for its bytes.
  await send(socket, 100 * 1024 ** 2, 2 * bytesPerSecondMin)
  await answered.catch(() => '')
  const tookMs = performance.now() - fromMs
  assert.ok(tookMs > 2_000 && tookMs < 8_000, `${tookMs} ms`)
})

test('a body that comes leaves its connection open for the next request', async (t) => {
  const { port } = await startFront(t, (request, response) => {
    request.once('end', () => response.end('taken'))
  })
  for (const path of [upload, '/elsewhere']) {
    const socket = connect(port, '127.0.0.1')
    for (const waitMs of [2 * arrival.bodyMs, 0]) {
      socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\n12345`)
      const [answer] = (await once(socket, 'data')) as [Buffer]
      assert.match(String(answer), /^HTTP\/1.1 200 /)
      await sleep(waitMs)
    }
    socket.destroy()
  }
})
