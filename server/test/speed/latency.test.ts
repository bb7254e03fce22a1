// Left to the soak: `conformance/figures` counts scans; this has bounds in seconds.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { assertAccounts, createCodes, totalScans, type Codes } from '../support/accounts.ts'
import { startLoad } from '../support/load.ts'
import { startService, type Service } from '../support/service.ts'

const scans = process.env['SOAK'] === '1' ? 60_000 : 600
const scansPerSecond = 100
const pollMs = 50
const p99MsMax = 2_000

describe('from the response to the figures', () => {
  let service: Service
  let of: Codes
  before(async () => {
    service = await startService({ TRUST_PROXY: '127.0.0.1', RATE_LIMIT_PER_MINUTE: '0' })
    of = await createCodes(service, 1)
  })
  after(() => service.remove())

  test(`${scans} scans at ${scansPerSecond}/s: p99 at most ${p99MsMax} ms`, async (t) => {
    const answeredMs: number[] = []
    const countedMs: number[] = []
    const load = startLoad({
      port: service.port,
      codes: of.codes.map((code) => code.shortCode),
      scansPerSecond,
      scansMax: scans,
      onAcknowledged: () => answeredMs.push(performance.now()),
    })
    t.after(() => load.stop())
    const untilMs = performance.now() + (scans / scansPerSecond) * 1000 + 60_000
    // The n-th response counts when the total reaches n: scans of one code are counted in the order
    // of their responses.
    while (countedMs.length < scans && performance.now() < untilMs) {
      const total = await totalScans(of)
      const nowMs = performance.now()
      while (countedMs.length < total) countedMs.push(nowMs)
      await sleep(pollMs)
    }
    await load.stop()
    assert.equal(answeredMs.length, scans, `all are answered: ${JSON.stringify(load.problems)}`)
    const waitedMs = answeredMs
      .map((atMs, index) => (countedMs[index] ?? Infinity) - atMs)
      .sort((a, b) => a - b)
    const percentile = (share: number): number => Math.round(waitedMs[Math.ceil(scans * share) - 1] ?? NaN)
    t.diagnostic(
      `in analytics after: p50 ${percentile(0.5)} ms, p99 ${percentile(0.99)} ms, max ${percentile(1)} ms`,
    )
    assert.ok(percentile(0.99) <= p99MsMax)
    await assertAccounts(service, of, [load])
  })
})
