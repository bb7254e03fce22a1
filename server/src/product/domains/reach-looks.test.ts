import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test, type TestContext } from 'node:test'
import { createReachCodes } from '../../reach-codes.ts'
import { createReachAnswer } from '../../scan/hosts/reach-answers.ts'
import { createReachLook } from './reach-looks.ts'

const codes = createReachCodes('v'.repeat(32))
const hostname = 'go.example.com'
const here = ['127.0.0.1']

async function listen(t: TestContext, listener: RequestListener): Promise<number> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  return (server.address() as AddressInfo).port
}

/** A front that gets each request under its own name, or under that of a proxy. */
async function front(t: TestContext, { ofKey = 'v', isRewritten = false } = {}): Promise<number> {
  const answer = createReachAnswer({
    codes: createReachCodes(ofKey.repeat(32)),
    hostOf: ({ headers }) => (isRewritten ? 'everscan:3000' : (headers.host ?? '')),
  })
  return listen(t, (request, response) => {
    if (!answer(request, response)) response.writeHead(404).end()
  })
}

const look = (port: number, options: { allowPrivate?: boolean; requestMs?: number } = {}) =>
  createReachLook({ publicUrl: `http://127.0.0.1:${port}`, codes, allowPrivate: true, ...options })

test('scans that arrive, arrive under another name, or elsewhere are told apart', async (t) => {
  assert.equal(await look(await front(t))(hostname, here), 'HERE')
  assert.equal(await look(await front(t, { isRewritten: true }))(hostname, here), 'RENAMED')
  assert.equal(await look(await front(t, { ofKey: 'w' }))(hostname, here), 'ELSEWHERE')
  const redirecting = await listen(t, (request, response) => {
    response.writeHead(302, { location: `http://127.0.0.1:1${request.url}` }).end()
  })
  assert.equal(await look(redirecting)(hostname, here), 'ELSEWHERE')
  const endless = await listen(t, (_request, response) => {
    response.writeHead(200)
    const timer = setInterval(() => response.write('x'.repeat(1_000)), 5)
    response.on('close', () => clearInterval(timer))
  })
  assert.equal(await look(endless)(hostname, here), 'ELSEWHERE', 'only the beginning is read')
})

test('silence counts only where this machine reaches PUBLIC_URL, and is given up in time', async (t) => {
  const port = await front(t)
  assert.equal(await look(port)(hostname, ['127.0.0.2']), 'SILENT')
  const silent = await listen(t, () => undefined)
  assert.equal(await look(silent, { requestMs: 200 })(hostname, here), undefined)
  assert.equal(await look(1)(hostname, here), undefined)
})

test('private addresses get no request, unless the installation allows it', async (t) => {
  let requests = 0
  const port = await listen(t, (_request, response) => {
    requests++
    response.end()
  })
  for (const address of ['127.0.0.1', '::1', '10.0.0.1', '169.254.169.254', '::ffff:127.0.0.1'])
    assert.equal(await look(port, { allowPrivate: false })(hostname, [address]), undefined, address)
  assert.equal(requests, 0)
  assert.equal(await look(port, { allowPrivate: false })(hostname, []), 'SILENT', 'no address at all')
})

test('over plain http only, while PUBLIC_URL has https, is told', async (t) => {
  const plainPort = await front(t)
  const options = { codes, allowPrivate: true, plainPort }
  assert.equal(
    await createReachLook({ publicUrl: 'https://qr.example.com:1', ...options })(hostname, here),
    'PLAIN',
  )
})
