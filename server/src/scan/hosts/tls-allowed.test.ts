import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { someHosts } from '../testing/hosts.ts'
import { createTlsAllowed } from './tls-allowed.ts'

test('proxies nearby learn which hosts may have a certificate', async (t) => {
  const state = { isNear: true }
  let reads = 0
  const answer = createTlsAllowed({
    hosts: someHosts([{ hostname: 'go.example.org' }, { hostname: 'wait.example.org', owners: new Set() }]),
    publicHost: 'qr.example.com',
    isNear: () => state.isNear,
    readChanges: () => reads++,
  })
  const server = createServer((request, response) => {
    if (!answer(request, response)) response.writeHead(204).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  const { port } = server.address() as AddressInfo
  const ask = async (query: string, path = '/api/v1/tls-allowed', method = 'GET') => {
    const response = await fetch(`http://127.0.0.1:${port}${path}${query}`, { method })
    const text = await response.text()
    return { status: response.status, message: text === '' ? '' : String(JSON.parse(text).message) }
  }
  for (const name of ['go.example.org', 'GO.Example.org.', 'qr.example.com'])
    assert.equal((await ask(`?domain=${name}`)).status, 200, name)
  assert.equal(reads, 3, 'changes count at once')
  for (const name of ['wait.example.org', 'unknown.example.org', '127.0.0.1', 'no%20host'])
    assert.equal((await ask(`?domain=${name}`)).status, 404, name)
  for (const query of ['', '?domain=', '?name=go.example.org']) {
    const { status, message } = await ask(query)
    assert.equal(status, 400, query)
    assert.match(message, /^"domain" must be a host name/)
  }
  assert.equal((await ask('?domain=go.example.org', '/api/v1/tls-allowed', 'POST')).status, 405)
  assert.equal((await ask('', '/api/v1/tls-allowed/more')).status, 204)
  state.isNear = false
  assert.equal((await ask('?domain=go.example.org')).status, 403)
})
