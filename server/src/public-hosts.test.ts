import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isPrivateHost, isPublicAddress } from './public-hosts.ts'

test('isPublicAddress accepts public addresses only', () => {
  for (const address of ['8.8.8.8', '1.1.1.1', '223.255.255.254', '2606:4700::1', '2a00:1450:4001::1'])
    assert.equal(isPublicAddress(address), true, address)
  for (const address of [
    '',
    'example.com',
    '127.0.0.1',
    '0.0.0.0',
    '::',
    '::1',
    '::8.8.8.8',
    '4000::1',
    '::ffff:8.8.8.8',
  ])
    assert.equal(isPublicAddress(address), false, address)
})

test('isPrivateHost knows names and addresses that only this machine or network has', () => {
  for (const host of [
    'localhost',
    'a.localhost',
    'nas.local',
    'nas',
    '127.0.0.1',
    '192.168.1.5',
    '[::1]',
    'nas.local.',
  ])
    assert.equal(isPrivateHost(host), true, host)
  for (const host of ['go.example.com', '8.8.8.8', '[2606:4700::1]', 'local.example.com'])
    assert.equal(isPrivateHost(host), false, host)
})
