import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ScanTimes } from './scan-times.ts'

test('answers are counted by class of status and time: buckets hold those before them, sums are seconds', () => {
  const times = new ScanTimes()
  for (const tookMs of [0.1, 0.25, 0.26, 3, 60_000]) times.observe(302, tookMs)
  times.observe(404, 1)
  times.observe(503, 100)
  const found = times.read('redirects')
  const value = (status: string, metricName: string, le?: number | string) =>
    found.find(
      (one) => one.labels['status'] === status && one.metricName === metricName && one.labels['le'] === le,
    )?.value
  assert.deepEqual(
    [0.00025, 0.0005, 0.0025, 0.005, 10, '+Inf'].map((le) => value('3xx', 'redirects_bucket', le)),
    [2, 3, 3, 4, 4, 5],
  )
  assert.equal(value('3xx', 'redirects_count'), 5)
  assert.ok(Math.abs((value('3xx', 'redirects_sum') ?? 0) - 60.00361) < 1e-9)
  assert.deepEqual(
    ['2xx', '4xx', '5xx'].map((status) => value(status, 'redirects_count')),
    [0, 1, 1],
  )
})
