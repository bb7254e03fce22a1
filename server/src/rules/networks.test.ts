import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readNetwork } from './networks.ts'

test('a network contains its addresses and no others', () => {
  const cases: [string, string, boolean][] = [
    ['203.0.113.0/24', '203.0.113.255', true],
    ['203.0.113.0/24', '203.0.114.0', false],
    ['203.0.113.7', '203.0.113.7', true],
    ['203.0.113.7', '203.0.113.6', false],
    ['128.0.0.0/1', '255.1.1.1', true],
    ['128.0.0.0/1', '127.1.1.1', false],
    ['0.0.0.0/0', '1.2.3.4', true],
    ['0.0.0.0/0', '::1', false],
    ['2001:db8::/33', '2001:db8:7fff::1', true],
    ['2001:db8::/33', '2001:db8:8000::1', false],
    ['2001:db8::1', '2001:db8:0:0::1', true],
    ['::/0', '1.2.3.4', false],
    ['203.0.113.0/24', 'unknown', false],
  ]
  for (const [network, address, expected] of cases)
    assert.equal(readNetwork(network)?.(address), expected, `${address} in ${network}`)
})

test('what is no network is refused', () => {
  for (const text of [
    '',
    'x',
    '1.2.3',
    '1.2.3.4/33',
    '1.2.3.4/-1',
    '1.2.3.4/01',
    '1.2.3.4/8/8',
    '::/129',
    'fe80::1%eth0',
    '1.2.3.4/',
  ])
    assert.equal(readNetwork(text), undefined, text)
})
