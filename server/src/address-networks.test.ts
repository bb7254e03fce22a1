import assert from 'node:assert/strict'
import { test } from 'node:test'
import { networkOf, networkPrefix, regionOf } from './address-networks.ts'

test('the network is /24 or /48, never the address', () => {
  assert.equal(networkOf('203.0.113.77'), '203.0.113.0')
  assert.equal(networkOf('2001:db8:1:2:3:4:5:6'), '2001:db8:1::')
  assert.equal(networkOf('2001:db8::6'), '2001:db8:0::')
  assert.equal(networkOf('::1'), '0:0:0::')
  assert.equal(networkOf('2001:0db8:00ff::'), '2001:db8:ff::')
  assert.equal(networkOf(''), '')
  assert.equal(networkOf('not:an:address'), '')
})

test('the region is /16 or /32, of an address and of its network', () => {
  for (const address of ['203.0.113.77', '2001:db8:1:2:3:4:5:6', '2001:db8::6', '::1', '']) {
    const region = { '203': '203.0.0.0', '2001': '2001:db8::', '': '0:0::' }[address.split(/[.:]/)[0] ?? '']
    assert.equal(regionOf(address), address === '' ? '' : region)
    assert.equal(regionOf(networkOf(address)), regionOf(address))
  }
})

test('the network for people has its length, and is null without an address', () => {
  assert.equal(networkPrefix('203.0.113.77'), '203.0.113.0/24')
  assert.equal(networkPrefix('2001:db8:1:2:3:4:5:6'), '2001:db8:1::/48')
  for (const none of ['', 'not:an:address', 'not.an.address', '203.0.113'])
    assert.equal(networkPrefix(none), null, none)
})
