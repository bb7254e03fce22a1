import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ApiError } from '../errors.ts'
import { AttemptLimiter } from './attempt-limiter.ts'

const hourMs = 3_600_000

/** Seconds that an attempt has to wait; 0: it may be made. */
function waitOf(limiter: AttemptLimiter, what: string, nowMs: number): number {
  try {
    limiter.begin(what, nowMs)
    return 0
  } catch (error) {
    return Number((error as ApiError).headers['retry-after'])
  }
}

test('five attempts are free; then the wait doubles, to a quarter of an hour, and not further', () => {
  const limiter = new AttemptLimiter()
  let nowMs = 0
  for (let i = 0; i < 5; i++) assert.equal(waitOf(limiter, 'a', nowMs), 0)
  const waits = Array.from({ length: 13 }, () => {
    const seconds = waitOf(limiter, 'a', nowMs)
    nowMs += seconds * 1000
    assert.equal(waitOf(limiter, 'a', nowMs), 0)
    return seconds
  })
  assert.deepEqual(waits, [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900])
  assert.equal(waitOf(limiter, 'b', nowMs), 0, 'others do not wait')
})

test('a hundred at once are five: an attempt counts before it is known to be wrong', () => {
  const limiter = new AttemptLimiter()
  const waits = Array.from({ length: 100 }, () => waitOf(limiter, 'a', 0))
  assert.equal(waits.filter((seconds) => seconds === 0).length, 5)
})

test('a right one forgets the wrong ones, and so does an hour, and a clock that was set back', () => {
  const limiter = new AttemptLimiter()
  const exhaust = (what: string, nowMs: number) => {
    while (waitOf(limiter, what, nowMs) === 0);
  }
  exhaust('a', 0)
  limiter.succeed('a')
  assert.equal(waitOf(limiter, 'a', 0), 0)
  exhaust('b', 0)
  assert.equal(waitOf(limiter, 'b', hourMs), 0)
  exhaust('c', 24 * hourMs)
  assert.equal(waitOf(limiter, 'c', 0), 0)
})

test('memory is bounded: the oldest of very many are forgotten', () => {
  const limiter = new AttemptLimiter()
  for (let i = 0; i < 6; i++) waitOf(limiter, 'first', 0)
  assert.ok(waitOf(limiter, 'first', 0) > 0)
  for (let i = 0; i < 100_000; i++) limiter.begin(`other ${i}`, 0)
  assert.equal(waitOf(limiter, 'first', 0), 0)
})
