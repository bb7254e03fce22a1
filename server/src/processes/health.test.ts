import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMetrics, metricsText, readinessOf } from './health.ts'

const api = (process: string, ok: boolean) => ({
  process,
  report: { parts: [{ name: 'scanStore', ok }], metrics: [] },
})
const up = { parts: [{ name: 'catalogue', ok: true }], metrics: [] }

test('starting until all parts were up once, then ready, then degraded while one is down', () => {
  const reports = [
    { process: 'front-0', report: { parts: [], metrics: [] } },
    { process: 'api-0', report: up },
  ]
  assert.equal(readinessOf(reports, false).status, 'starting')
  assert.deepEqual(readinessOf(reports, true), {
    status: 'ready',
    parts: { 'front-0': { ok: true }, 'api-0': { ok: true }, catalogue: { ok: true } },
  })
  const down = [...reports, { process: 'engine-0', report: undefined }]
  assert.deepEqual(readinessOf(down, true).parts['engine-0'], { ok: false })
  assert.equal(readinessOf(down, true).status, 'degraded')
})

test('a part that two processes see is down when one of them says so', () => {
  assert.equal(readinessOf([api('api-0', true), api('api-1', false)], true).parts['scanStore']?.ok, false)
  assert.equal(readinessOf([api('api-0', false), api('api-1', true)], true).parts['scanStore']?.ok, false)
})

test('metrics of several processes are one text, each figure with its process', async () => {
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
