import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { test } from 'node:test'
import { mayReadDetails } from './details-access.ts'

const token = 'a-token-of-metrics'

function from(remoteAddress: string | undefined, headers: Record<string, string> = {}): IncomingMessage {
  return { socket: { remoteAddress }, headers } as unknown as IncomingMessage
}

const open = { token: undefined, requireToken: false }
const withToken = { token, requireToken: false }
const strict = { token, requireToken: true }

test('loopback and private addresses may read details, in every notation; others may not', () => {
  for (const address of [
    '127.0.0.1',
    '127.8.9.1',
    '10.1.2.3',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.178.20',
    '169.254.169.254',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:10.0.0.9',
    'fd12:3456::1',
    'fe80::1%eth0',
  ])
    assert.equal(mayReadDetails(from(address), open), true, address)
  for (const address of [
    '203.0.113.9',
    '172.32.0.1',
    '172.15.255.255',
    '11.0.0.1',
    '::ffff:203.0.113.9',
    '2001:db8::1',
    '::',
    '0.0.0.0',
    '',
    undefined,
  ])
    assert.equal(mayReadDetails(from(address), open), false, address)
})

test('a request through a proxy on a private address may not', () => {
  for (const name of ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-proto', 'x-forwarded-host'])
    assert.equal(mayReadDetails(from('127.0.0.1', { [name]: '' }), open), false, name)
  assert.equal(mayReadDetails(from('127.0.0.1', { 'x-request-id': 'r', host: 'h' }), open), true)
})

test('the right token reads details from any address; a wrong token, or any token if none is set, does not', () => {
  for (const access of [withToken, strict]) {
    const proxied = { via: '1.1 proxy' }
    for (const authorization of [`Bearer ${token}`, `bearer ${token}`])
      assert.equal(mayReadDetails(from('203.0.113.9', { ...proxied, authorization }), access), true)
    for (const authorization of ['', 'Bearer', 'Bearer ', `Bearer ${token}x`, `Basic ${token}`, token])
      assert.equal(mayReadDetails(from('203.0.113.9', { authorization }), access), false, authorization)
  }
  assert.equal(mayReadDetails(from('203.0.113.9', { authorization: 'Bearer undefined' }), open), false)
})

test('METRICS_REQUIRE_TOKEN: a private address needs the token, too', () => {
  assert.equal(mayReadDetails(from('127.0.0.1'), withToken), true)
  assert.equal(mayReadDetails(from('127.0.0.1'), strict), false)
  assert.equal(mayReadDetails(from('127.0.0.1', { authorization: `Bearer ${token}` }), strict), true)
})
