import assert from 'node:assert/strict'
import { test } from 'node:test'
import { visitorKeyOfSecret } from '../processes/visitor-key.ts'
import { createVisitorHash } from './visitor-hash.ts'

const key = '0123456789abcdef'.repeat(4)

test('the same visitor of the same code is told again, every other difference shows', () => {
  const visitor = createVisitorHash(key)
  const base = visitor('qr_1', '203.0.113.7', 'Safari')
  assert.equal(base.length, 16)
  assert.equal(visitor('qr_1', '203.0.113.7', 'Safari'), base)
  assert.notEqual(visitor('qr_2', '203.0.113.7', 'Safari'), base)
  assert.notEqual(visitor('qr_1', '203.0.113.8', 'Safari'), base)
  assert.notEqual(visitor('qr_1', '203.0.113.7', 'Chrome'), base)
  for (const other of [`${key.slice(0, -1)}0`, key.toUpperCase(), 'a key that an operator wrote by hand'])
    assert.notEqual(createVisitorHash(other)('qr_1', '203.0.113.7', 'Safari'), base, other)
})

test('an IPv6 visitor is recognized by the /64, an IPv4 visitor by the whole address', () => {
  const visitor = createVisitorHash(key)
  const of = (address: string) => visitor('qr_1', address, 'Safari')
  assert.equal(of('2001:db8:1:2::7'), of('2001:db8:1:2:aaaa:bbbb:cccc:dddd'))
  assert.notEqual(of('2001:db8:1:2::7'), of('2001:db8:1:3::7'))
  assert.notEqual(of('203.0.113.7'), of('203.0.113.8'))
})

test('fields cannot be shifted into each other, neither can a key', () => {
  const visitor = createVisitorHash(key)
  assert.notEqual(visitor('qr_1', '1.1.1.1', '2'), visitor('qr_1', '1.1.1.12', ''))
  const longer = createVisitorHash(`${key}q`)
  assert.notEqual(longer('r_1', '1.1.1.1', ''), visitor('qr_1', '1.1.1.1', ''))
})

test('with the key made from SECRET visitors are the same as in release 0.1', () => {
  const visitor = createVisitorHash(visitorKeyOfSecret('s'.repeat(32)))
  const hex = Buffer.from(visitor('qr_1', '203.0.113.7', 'Safari'), 'latin1').toString('hex')
  // The value that release 0.1 computed.
  assert.equal(hex, '9b404a5d858e604cc8ebb7c149ca7877')
})

test('a key that is too short, such as none, is refused', () => {
  for (const short of ['', 's'.repeat(31)])
    assert.throws(() => createVisitorHash(short), /must have at least 32 characters/)
})
