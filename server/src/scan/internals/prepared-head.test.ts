import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { keepAliveMs, prepareHead, readHead, writePreparedHead } from './prepared-head.ts'

const headers = [
  'Location',
  'https://example.com/a?b=%C3%BC',
  'Cache-Control',
  'no-store',
  'Content-Length',
  '0',
]
const head = prepareHead(302, headers)

/** Answers each path with the same head: `/node` as Node writes it, `/ours` as prepared. */
const server = createServer({ keepAliveTimeout: keepAliveMs }, (request, response) => {
  if (request.headers['x-last'] !== undefined) response.shouldKeepAlive = false
  if (request.url === '/ours') writePreparedHead(response, head)
  else response.writeHead(302, headers)
  response.end()
})

before(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})
after(() => {
  server.closeAllConnections()
  server.close()
})

/**
 * Sends raw requests and returns the raw responses. Expects `heads` heads until the server ends the
 * connection.
 */
async function wire(requests: string, heads = 1): Promise<string> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  socket.end(requests)
  let text = ''
  for await (const chunk of socket) text += String(chunk)
  assert.equal(text.split('HTTP/1.1 302').length - 1, heads)
  return text.replaceAll(/^Date: \w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT\r$/gm, 'Date: now')
}

const requests = {
  'a request': 'GET PATH HTTP/1.1\r\nHost: a\r\n\r\n',
  'a HEAD': 'HEAD PATH HTTP/1.1\r\nHost: a\r\n\r\n',
  'a client that asks once': 'GET PATH HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
  'an old client': 'GET PATH HTTP/1.0\r\n\r\n',
  'an old client that stays': 'GET PATH HTTP/1.0\r\nConnection: keep-alive\r\n\r\n',
  'a server that stops': 'GET PATH HTTP/1.1\r\nHost: a\r\nX-Last: 1\r\n\r\n',
}
for (const [who, request] of Object.entries(requests))
  test(`a prepared head is Node's own to the byte: ${who}`, async () => {
    const [ours, nodes] = await Promise.all(
      ['/ours', '/node'].map((path) => wire(request.replace('PATH', path))),
    )
    assert.match(nodes ?? '', /\r\nDate: now\nConnection: /)
    assert.equal(ours, nodes)
  })

test('answers to requests that come at once go out one after the other', async () => {
  const [ours, nodes] = await Promise.all(
    ['/ours', '/node'].map((path) => wire(requests['a request'].replace('PATH', path).repeat(3), 3)),
  )
  assert.equal(ours, nodes)
})

test('the date goes on with the clock', async () => {
  const dates = new Set<string>()
  for (let asked = 0; asked < 12; asked++) {
    const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/ours`, {
      redirect: 'manual',
    })
    const date = answer.headers.get('date') ?? ''
    assert.ok(Math.abs(Date.parse(date) - Date.now()) < 2_000, date)
    dates.add(date)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  assert.ok(dates.size > 1, 'more than a second has gone by')
})

test('a prepared head is read back, and no value breaks out of its line', () => {
  assert.deepEqual(readHead(head), { status: 302, headers })
  assert.throws(() => prepareHead(302, ['Location', 'https://a.example/\r\nSet-Cookie: a=b']), TypeError)
})
