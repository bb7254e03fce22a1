import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRateLimit } from './rate-limit.ts'

test('each key has its own count, and a new minute starts at zero', () => {
  const rateLimit = createRateLimit(2)
  assert.deepEqual(rateLimit('key_a', 60_000), { allowed: true, limit: 2, remaining: 1, resetSeconds: 60 })
  assert.deepEqual(rateLimit('key_a', 90_500), { allowed: true, limit: 2, remaining: 0, resetSeconds: 30 })
  assert.deepEqual(rateLimit('key_a', 119_999), { allowed: false, limit: 2, remaining: 0, resetSeconds: 1 })
  assert.equal(rateLimit('key_b', 119_999).allowed, true)
  assert.equal(rateLimit('key_a', 120_000).allowed, true)
})
