import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { NetworkInterfaceInfo } from 'node:os'
import { addressOnNetwork } from './network-address.ts'

function v4(address: string, internal = false): NetworkInterfaceInfo {
  return { address, internal, family: 'IPv4', netmask: '255.255.255.0', mac: '', cidr: null }
}
const v6: NetworkInterfaceInfo = {
  address: 'fe80::1',
  internal: false,
  family: 'IPv6',
  netmask: '',
  mac: '',
  cidr: null,
  scopeid: 2,
}
const interfaces = {
  lo: [v4('127.0.0.1', true)],
  docker0: [v4('172.17.0.1')],
  eth0: [v6, v4('192.168.178.20')],
  wlan0: [v4('10.0.0.7')],
}

test('the address of a network card, not of this machine alone or of containers', () => {
  assert.equal(addressOnNetwork('0.0.0.0', interfaces), '192.168.178.20')
  assert.equal(addressOnNetwork('::', interfaces), '192.168.178.20')
  assert.equal(addressOnNetwork('10.0.0.7', interfaces), '10.0.0.7')
})

test('none if the service listens elsewhere, or the machine has no network', () => {
  for (const host of ['127.0.0.1', 'localhost', '172.17.0.1', '192.0.2.1'])
    assert.equal(addressOnNetwork(host, interfaces), undefined)
  assert.equal(addressOnNetwork('0.0.0.0', { lo: interfaces.lo }), undefined)
})
