import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ApiError } from '../../errors.ts'
import { createTries, type Tries } from './tries.ts'

const hourMs = 3_600_000

/** Seconds that a try has to wait; 0: it may be made. */
function waitOf(tries: Tries, what: string, nowMs: number): number {
  try {
    tries.begin(what, nowMs)
    return 0
  } catch (error) {
    return Number((error as ApiError).headers['retry-after'])
  }
}

test('five tries are free; then the wait doubles, to a quarter of an hour, and not further', () => {
  const tries = createTries()
  let nowMs = 0
  for (let i = 0; i < 5; i++) assert.equal(waitOf(tries, 'a', nowMs), 0)
  const waits = Array.from({ length: 13 }, () => {
    const seconds = waitOf(tries, 'a', nowMs)
    nowMs += seconds * 1000
    assert.equal(waitOf(tries, 'a', nowMs), 0)
    return seconds
  })
  assert.deepEqual(waits, [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900])
  assert.equal(waitOf(tries, 'b', nowMs), 0, 'others do not wait')
})

test('a hundred at once are five: a try counts before it is known to be wrong', () => {
  const tries = createTries()
  const waits = Array.from({ length: 100 }, () => waitOf(tries, 'a', 0))
  assert.equal(waits.filter((seconds) => seconds === 0).length, 5)
})

test('a right one forgets the wrong ones, and so does an hour, and a clock that was set back', () => {
  const tries = createTries()
  const exhaust = (what: string, nowMs: number) => {
    while (waitOf(tries, what, nowMs) === 0);
  }
  exhaust('a', 0)
  tries.succeed('a')
  assert.equal(waitOf(tries, 'a', 0), 0)
  exhaust('b', 0)
  assert.equal(waitOf(tries, 'b', hourMs), 0)
  exhaust('c', 24 * hourMs)
  assert.equal(waitOf(tries, 'c', 0), 0)
})

test('memory is bounded: the oldest of very many are forgotten', () => {
  const tries = createTries()
  for (let i = 0; i < 6; i++) waitOf(tries, 'first', 0)
  assert.ok(waitOf(tries, 'first', 0) > 0)
  for (let i = 0; i < 100_000; i++) tries.begin(`other ${i}`, 0)
  assert.equal(waitOf(tries, 'first', 0), 0)
})
