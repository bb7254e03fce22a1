import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer as createTcpServer, type AddressInfo, type Socket } from 'node:net'
import { after, test } from 'node:test'
import { privateUrls } from '../../catalogue/webhooks/testing/private-addresses.ts'
import { startReceiver, type Receiver } from './testing/receiver.ts'
import { createWebhookCaller, type CallerOptions, type CallOutcome } from './webhook-calls.ts'

const closing: (() => Promise<void> | void)[] = []
after(async () => {
  for (const close of closing) await close()
})

async function receiver(...given: Parameters<typeof startReceiver>): Promise<Receiver> {
  const started = await startReceiver(...given)
  closing.push(started.close)
  return started
}

/** Starts a listener that speaks no protocol, and counts what it receives. */
async function rawServer(onSocket: (socket: Socket) => void = () => undefined) {
  const counts = { bytes: 0, connections: 0 }
  const sockets = new Set<Socket>()
  const server = createTcpServer((socket) => {
    counts.connections++
    sockets.add(socket)
    socket.on('data', (chunk) => (counts.bytes += chunk.length))
    socket.on('error', () => undefined)
    onSocket(socket)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closing.push(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return { ...(server.address() as AddressInfo), counts }
}

function call(url: string, options: Partial<CallerOptions> = {}): Promise<CallOutcome> {
  const caller = createWebhookCaller({ allowPrivate: true, ...options })
  closing.push(caller.close)
  return caller.call(url, { headers: { 'content-type': 'application/json' }, body: '{"a":"ü"}' })
}

test('a call brings its body and headers; any 2xx is a success, and the beginning of the answer is kept', async () => {
  const { url, calls } = await receiver((_call, response) =>
    response.writeHead(202).end(`ok\0${'é'.repeat(2_000)}`),
  )
  const outcome = await call(`${url}?a=b`)
  assert.deepEqual([outcome.succeeded, outcome.status, outcome.problem?.message], [true, 202, undefined])
  assert.match(outcome.body ?? '', /^ok\ufffdéé/)
  assert.ok((outcome.body ?? '').length <= 1_024)
  assert.deepEqual([calls[0]?.path, calls[0]?.body], ['/hook?a=b', '{"a":"ü"}'])
  assert.equal(calls[0]?.headers['content-length'], '10')
})

test('redirects are failures and are not followed; other statuses too; Retry-After is heard', async () => {
  const canary = await receiver()
  for (const status of [301, 302, 303, 307, 308, 400, 404, 410, 429, 500, 503]) {
    const { url } = await receiver((_call, response) =>
      response.writeHead(status, { location: canary.url, 'retry-after': '7' }).end('no'),
    )
    const outcome = await call(url)
    assert.deepEqual([outcome.succeeded, outcome.status, outcome.retryAfterMs], [false, status, 7_000])
    assert.match(outcome.problem?.message ?? '', new RegExp(`answered ${status}`))
  }
  assert.equal(canary.calls.length, 0)
})

test('whoever hangs, at any point, is given up in time', async () => {
  const never = await rawServer()
  const head = await rawServer((socket) => socket.write('HTTP/1.1 200 OK\r\n'))
  const body = await rawServer((socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab'))
  const drip = await rawServer((socket) => {
    socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n')
    const timer = setInterval(() => socket.write('1\r\na\r\n'), 20)
    socket.on('close', () => clearInterval(timer))
  })
  for (const { port } of [never, head, body, drip]) {
    const fromMs = performance.now()
    const outcome = await call(`http://127.0.0.1:${port}/`, { callMsMax: 300 })
    assert.deepEqual(
      [outcome.succeeded, outcome.problem?.message],
      [false, 'There was no whole answer within 0.3 s.'],
    )
    assert.ok(performance.now() - fromMs < 2_000)
  }
  const hangingName = { resolveName: () => new Promise<never>(() => {}), callMsMax: 300 }
  assert.equal((await call('https://example.com/', hangingName)).succeeded, false)
})

test('of an answer without end, 20 KB are read', async () => {
  let sent = 0
  const { url } = await receiver((_call, response) => {
    response.writeHead(200)
    const chunk = Buffer.alloc(4_096, 'x')
    const write = (): void => {
      while (!response.destroyed && response.write(chunk)) sent += chunk.length
      if (!response.destroyed) response.once('drain', write)
    }
    write()
  })
  const outcome = await call(url)
  assert.deepEqual([outcome.succeeded, outcome.body?.length], [true, 1_024])
  assert.ok(sent < 8 * 1024 * 1024, `${sent} bytes were sent`)
  const heads = await rawServer((socket) => {
    socket.write('HTTP/1.1 200 OK\r\n')
    const timer = setInterval(() => socket.write(`X-${'a'.repeat(4_000)}: ${'b'.repeat(4_000)}\r\n`), 1)
    socket.on('close', () => clearInterval(timer))
  })
  assert.equal((await call(`http://127.0.0.1:${heads.port}/`)).problem?.message, 'The answer was not HTTP.')
  const nonsense = await rawServer((socket) => socket.end('SSH-2.0-OpenSSH_9.9\r\n'))
  assert.equal(
    (await call(`http://127.0.0.1:${nonsense.port}/`)).problem?.message,
    'The answer was not HTTP.',
  )
})

test('what cannot be reached says why, and no more', async () => {
  const closed = await rawServer((socket) => socket.destroy())
  assert.equal(
    (await call(`http://127.0.0.1:${closed.port}/`)).problem?.message,
    'The receiver broke the connection off.',
  )
  assert.equal((await call('http://127.0.0.1:1/')).problem?.message, 'The host refused the connection.')
  const plain = await receiver()
  assert.match(
    (await call(plain.url.replace('http:', 'https:'))).problem?.message ?? '',
    /^The (TLS connection|call) failed/,
  )
})

test(`the canary behind ${privateUrls.length} private addresses sees 0 bytes`, async () => {
  const canary = await rawServer()
  for (const privateUrl of privateUrls) {
    const at = new URL(privateUrl)
    at.port = String(canary.port)
    for (const protocol of ['http:', 'https:']) {
      at.protocol = protocol
      const outcome = await call(at.href, {
        allowPrivate: false,
        callMsMax: 2_000,
        resolveName: async () => ['127.0.0.1'],
      })
      assert.equal(outcome.succeeded, false)
      assert.match(outcome.problem?.message ?? '', /does not lead to a public address/, at.href)
    }
  }
  assert.deepEqual(canary.counts, { bytes: 0, connections: 0 })
})

test('DNS rebinding: whatever a name leads to at whichever look, the canary sees 0 bytes', async () => {
  const canary = await rawServer()
  const answers: readonly (readonly string[])[] = [
    ['127.0.0.1'],
    ['8.8.8.8', '127.0.0.1'],
    ['::1'],
    ['::ffff:127.0.0.1'],
    ['2001:db8::1', '10.0.0.1'],
    ['0.0.0.0'],
    [],
    ['not an address'],
    ['localhost'],
  ]
  for (const addresses of answers)
    for (const protocol of ['http', 'https']) {
      let looks = 0
      // The first lookup returns the tested addresses; a second one would lead to the canary.
      const resolveName = async () => (looks++ === 0 ? addresses : ['127.0.0.1'])
      const url = `${protocol}://rebind.example.com:${canary.port}/`
      const outcome = await call(url, { allowPrivate: false, resolveName, callMsMax: 2_000 })
      assert.match(outcome.problem?.message ?? '', /does not lead to a public address/, addresses.join())
      assert.equal(looks, 1)
    }
  assert.deepEqual(canary.counts, { bytes: 0, connections: 0 })
})

test('a connection is used again, and one that the receiver closed meanwhile costs nothing', async () => {
  const ports = new Set<number>()
  const { url, calls } = await receiver((_call, response, count) => {
    ports.add(response.socket?.remotePort ?? 0)
    response.writeHead(204)
    response.end()
    // Closes the connection after the answer, without notice.
    if (count === 3) response.once('close', () => response.socket?.destroy())
  })
  const caller = createWebhookCaller({ allowPrivate: true })
  closing.push(caller.close)
  for (let count = 0; count < 6; count++)
    assert.equal((await caller.call(url, { headers: {}, body: `${count}` })).succeeded, true)
  assert.equal(calls.length, 6)
  assert.ok(ports.size <= 2, `${ports.size} connections`)
})
