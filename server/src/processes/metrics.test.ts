import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMetrics, metricsText } from './metrics.ts'

test('metrics of several processes form one text, and each value names its process', async () => {
  const metrics = ['front-0', 'front-1'].map((name, index) => {
    const own = createMetrics(name)
    own.figures({ scans_recorded_total: ['Scans', () => index + 1], codes_in_memory: ['Codes', () => 7] })
    return own
  })
  const text = await metricsText(await Promise.all(metrics.map((own) => own.collect())))
  assert.match(text, /# TYPE everscan_scans_recorded_total counter/)
  assert.match(text, /everscan_scans_recorded_total\{process="front-0"\} 1\n/)
  assert.match(text, /everscan_scans_recorded_total\{process="front-1"\} 2\n/)
  assert.match(text, /# TYPE everscan_codes_in_memory gauge/)
})

test('labelled figures: names of counters end in _total, and unknown values are left out', async () => {
  const own = createMetrics('worker-0')
  own.labelled({
    calls_total: ['Calls', () => [[{ kind: 'a' }, 3]]],
    queue_length: [
      'Queue',
      () => [
        [{ queue: 'a' }, 0],
        [{ queue: 'b' }, undefined],
      ],
    ],
  })
  const text = await metricsText([await own.collect()])
  assert.match(
    text,
    /# TYPE everscan_calls_total counter\neverscan_calls_total\{kind="a",process="worker-0"\} 3\n/,
  )
  assert.match(
    text,
    /# TYPE everscan_queue_length gauge\neverscan_queue_length\{queue="a",process="worker-0"\} 0\n/,
  )
  assert.doesNotMatch(text, /queue="b"/)
})
