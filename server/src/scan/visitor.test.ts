import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createVisitorHash } from './visitor.ts'

test('the same visitor of the same code is told again, every other difference shows', () => {
  const visitor = createVisitorHash('0123456789abcdef0123456789abcdef')
  const base = visitor('qr_1', '203.0.113.7', 'Safari')
  assert.equal(base.length, 16)
  assert.equal(visitor('qr_1', '203.0.113.7', 'Safari'), base)
  assert.notEqual(visitor('qr_2', '203.0.113.7', 'Safari'), base)
  assert.notEqual(visitor('qr_1', '203.0.113.8', 'Safari'), base)
  assert.notEqual(visitor('qr_1', '203.0.113.7', 'Chrome'), base)
  assert.notEqual(createVisitorHash('another secret')('qr_1', '203.0.113.7', 'Safari'), base)
})

test('fields cannot be shifted into each other', () => {
  const visitor = createVisitorHash('s'.repeat(32))
  assert.notEqual(visitor('qr_1', '1.1.1.1', '2'), visitor('qr_1', '1.1.1.12', ''))
})
