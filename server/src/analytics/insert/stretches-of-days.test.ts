import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stretchesOfDays } from './stretches-of-days.ts'

test('days with few scans are taken together, and a busy day is divided by its visitors', () => {
  const days = [
    { day: 4, hits: 2_500 },
    { day: 1, hits: 400 },
    { day: 2, hits: 600 },
    { day: 3, hits: 1 },
    { day: 5, hits: 10 },
  ]
  assert.deepEqual(stretchesOfDays(days, 1_000), [
    { days: [1, 2], ofVisitors: '1' },
    { days: [3], ofVisitors: '1' },
    { days: [4], ofVisitors: 'cityHash64(visitor) % 3 = 0' },
    { days: [4], ofVisitors: 'cityHash64(visitor) % 3 = 1' },
    { days: [4], ofVisitors: 'cityHash64(visitor) % 3 = 2' },
    { days: [5], ofVisitors: '1' },
  ])
  assert.deepEqual(stretchesOfDays([]), [])
})
