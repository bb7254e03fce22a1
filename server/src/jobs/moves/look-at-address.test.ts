import assert from 'node:assert/strict'
import { test } from 'node:test'
import { problem } from '@everscan/contract/problems/problem.ts'
import { createAddressLook } from './look-at-address.ts'
import { startOldService } from './testing/old-service.ts'

test('a look asks with HEAD, and with GET only if that is refused; redirects are not followed', async (t) => {
  const old = await startOldService((path, method) => {
    if (path === '/get-only' && method === 'HEAD') return { status: 405 }
    return path === '/page' ? { status: 200 } : { status: 301, headers: { location: '/next' } }
  })
  t.after(old.close)
  const { look, close } = createAddressLook({ allowPrivate: true })
  t.after(close)
  const none = { location: undefined, retryAfterMs: undefined }
  assert.deepEqual(await look(`${old.url}/a?b=c`), { status: 301, ...none, location: '/next' })
  assert.deepEqual(await look(`${old.url}/get-only`), { status: 301, ...none, location: '/next' })
  assert.deepEqual(await look(`${old.url}/page`), { status: 200, ...none })
  assert.deepEqual(old.asked, ['HEAD /a?b=c', 'HEAD /get-only', 'GET /get-only', 'HEAD /page'])
})

test('a look reaches public addresses only, and tells why there was no answer', async (t) => {
  const old = await startOldService(() => ({ status: 200 }))
  t.after(old.close)
  const { look, close } = createAddressLook({ allowPrivate: false })
  t.after(close)
  assert.deepEqual(await look(old.url), { problem: problem('hostNotPublic', { host: '127.0.0.1' }) })
  assert.deepEqual(old.asked, [])
  assert.deepEqual(await look('ftp://example.com/'), { problem: problem('notWebAddress') })
  assert.deepEqual(await look('menu'), { problem: problem('notWebAddress') })
  const all = createAddressLook({ allowPrivate: true })
  t.after(all.close)
  assert.deepEqual(await all.look('http://127.0.0.1:1/'), { problem: problem('connectionRefused') })
})
