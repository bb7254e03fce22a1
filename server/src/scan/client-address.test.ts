import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addressTrail, clientAddress, createTrustedProxies, networkOf } from './client-address.ts'

const trusted = createTrustedProxies(['10.0.0.0/8', '::1', 'fd00::/8'])

test('without trusted proxies the peer is the client, whatever it says', () => {
  assert.equal(clientAddress('203.0.113.7', '198.51.100.1', undefined), '203.0.113.7')
  assert.equal(clientAddress('::ffff:203.0.113.7', undefined, undefined), '203.0.113.7')
})

test('the forwarded list is read right to left, as far as it is trusted', () => {
  const cases = [
    ['10.0.0.1', '198.51.100.1', '198.51.100.1'],
    ['10.0.0.1', '1.2.3.4, 198.51.100.1', '198.51.100.1'],
    ['10.0.0.1', '198.51.100.1, 10.2.3.4', '198.51.100.1'],
    ['10.0.0.1', '10.9.9.9, 10.2.3.4', '10.9.9.9'],
    ['::1', '2001:db8::7', '2001:db8::7'],
    ['10.0.0.1', '[2001:db8::7]:4711', '2001:db8::7'],
    ['10.0.0.1', '198.51.100.1:4711', '198.51.100.1'],
    ['10.0.0.1', 'unknown', '10.0.0.1'],
    ['10.0.0.1', '', '10.0.0.1'],
    ['10.0.0.1', '<script>, 198.51.100.1, 10.0.0.2', '198.51.100.1'],
    ['203.0.113.7', '198.51.100.1', '203.0.113.7'],
    ['::ffff:10.0.0.1', '198.51.100.1', '198.51.100.1'],
  ] as const
  for (const [peer, forwarded, expected] of cases)
    assert.equal(clientAddress(peer, forwarded, trusted), expected, `${peer} <- ${forwarded}`)
})

test('the trail has every proxy that was believed, and nobody else', () => {
  const forwarded = '1.2.3.4, 198.51.100.1, 10.2.3.4'
  assert.deepEqual(addressTrail('10.0.0.1', forwarded, trusted), ['10.0.0.1', '10.2.3.4', '198.51.100.1'])
  assert.deepEqual(addressTrail('203.0.113.7', forwarded, trusted), ['203.0.113.7'])
  assert.deepEqual(addressTrail('10.0.0.1', forwarded, undefined), ['10.0.0.1'])
})

test('a wrong entry of TRUST_PROXY is named', () => {
  for (const entry of ['1', 'proxy.local', '10.0.0.0/33', '10.0.0.0/x', '::/129'])
    assert.throws(() => createTrustedProxies([entry]), {
      message: new RegExp(`TRUST_PROXY.*"${entry.replaceAll('/', '\\/')}"`),
    })
})

test('the network is /24 or /48, never the address', () => {
  assert.equal(networkOf('203.0.113.77'), '203.0.113.0')
  assert.equal(networkOf('2001:db8:1:2:3:4:5:6'), '2001:db8:1::')
  assert.equal(networkOf('2001:db8::6'), '2001:db8:0::')
  assert.equal(networkOf('::1'), '0:0:0::')
  assert.equal(networkOf('2001:0db8:00ff::'), '2001:db8:ff::')
  assert.equal(networkOf(''), '')
  assert.equal(networkOf('not:an:address'), '')
})
