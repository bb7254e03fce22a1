import assert from 'node:assert/strict'
import { after, before, describe, test, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { UnavailableError } from '@everscan/client/create-client.ts'
import { assertAccounts, assertNoneFailed, createCodes, type Codes } from '../support/accounts.ts'
import { scanOnce, startLoad, type Load } from '../support/load.ts'
import { startService, until, type Service } from '../support/service.ts'
import { isAlive, sendSignal } from '../../src/processes/testing/signals.ts'

// Less than the 10 s after which `main` ends a hanging process: see hung-processes.test.ts.
const outageMs = 7_000
const scansPerSecond = 100
const others = ['api', 'worker', 'engine'] as const

describe('outages on SQLite', () => {
  let service: Service
  let of: Codes
  const loads: Load[] = []
  /** How long all processes take to start, here and now. */
  let startMs: number
  before(async () => {
    const fromMs = performance.now()
    service = await startService({ TRUST_PROXY: '127.0.0.1', RATE_LIMIT_PER_MINUTE: '0' })
    startMs = performance.now() - fromMs
    of = await createCodes(service, 2)
  })
  after(async () => {
    service.signal(others, 'SIGCONT')
    await service.remove()
  })

  const scanning = (t: TestContext): Load => {
    const codes = of.codes.map((code) => code.shortCode)
    const load = startLoad({ port: service.port, codes, scansPerSecond })
    loads.push(load)
    t.after(() => load.stop())
    return load
  }
  const firstCode = () => of.codes[0] ?? assert.fail()
  const analytics = (): Promise<unknown> =>
    service.client({ retries: 0 }).qrCodes.analytics(of.orgId, firstCode().id)
  const analyticsAnswer = (): Promise<boolean> =>
    analytics().then(
      () => true,
      (error: unknown) => {
        assert.ok(error instanceof UnavailableError && (error.retryAfterMs ?? 0) > 0, String(error))
        return false
      },
    )

  test(`api, worker and engine hang for ${outageMs / 1000} s: no redirect fails, then every scan is counted`, async (t) => {
    const load = scanning(t)
    await sleep(500)
    service.signal(others, 'SIGSTOP')
    const readiness = sleep(1_000).then(() => service.readiness())
    await sleep(outageMs - 2_000)
    assert.equal((await readiness).status, 'degraded')
    const hanging = service.client({ retries: 0 }).organizations.listMine()
    await sleep(2_000)
    service.signal(others, 'SIGCONT')
    assert.equal((await hanging).length, 1, 'requests made meanwhile are answered')
    await assertNoneFailed(load)
    const backMs = await until(
      'ready again',
      async () => (await service.readiness()).status === 'ready',
      30_000,
    )
    const counted = await assertAccounts(service, of, loads)
    t.diagnostic(
      `${counted} scans, the slowest redirect ${Math.round(load.slowestMs())} ms, ready after ${Math.round(backMs)} ms`,
    )
  })

  test('api, worker and engine are killed: the API returns 503 with Retry-After, redirects continue, all processes come back', async (t) => {
    const load = scanning(t)
    await sleep(500)
    const killed = others.flatMap(service.pids)
    service.signal(others, 'SIGKILL')
    await until('the processes are gone', () => !killed.some(isAlive))
    await assert.rejects(
      service.client({ retries: 0 }).organizations.listMine(),
      (error) =>
        error instanceof UnavailableError && error.code === 'UNAVAILABLE' && error.retryAfterMs === 1_000,
    )
    const backMs = await until('analytics work again', analyticsAnswer, 30_000)
    await assertNoneFailed(load)
    await assertAccounts(service, of, loads)
    t.diagnostic(`analytics were back after ${Math.round(backMs)} ms`)
  })

  test('the engine is killed: analytics are back within 3 s, on a slow machine sooner than a whole start', async (t) => {
    const [engine = 0] = service.pids('engine')
    sendSignal(engine, 'SIGKILL')
    await until('the engine is gone', () => !isAlive(engine))
    const backMs = await until('analytics work again', analyticsAnswer, 30_000)
    t.diagnostic(`analytics were back after ${Math.round(backMs)} ms`)
    assert.ok(backMs < Math.max(3_000, startMs), `${backMs} ms, a start took ${startMs} ms`)
  })

  test('the scan store hangs: redirects and API continue, analytics return 503 with Retry-After in seconds', async (t) => {
    const load = scanning(t)
    service.signal(['engine'], 'SIGSTOP')
    try {
      const fromMs = performance.now()
      const refused = assert.rejects(
        analytics(),
        (error) => error instanceof UnavailableError && error.retryAfterMs === 5_000,
      )
      const code = firstCode()
      const { name } = await service.client().qrCodes.update(of.orgId, code.id, { name: 'Renamed meanwhile' })
      assert.equal(name, 'Renamed meanwhile')
      await refused
      const refusedMs = performance.now() - fromMs
      t.diagnostic(`503 after ${Math.round(refusedMs)} ms`)
      assert.ok(refusedMs < 8_000, `${refusedMs} ms`)
      await until('the store is told as down', async () => {
        const { parts } = await service.readiness()
        return parts['scanStore']?.ok === false
      })
    } finally {
      service.signal(['engine'], 'SIGCONT')
    }
    await assertNoneFailed(load)
    await assertAccounts(service, of, loads)
  })

  test('main is killed: its processes end, and an immediate restart has the same data', async (t) => {
    const load = scanning(t)
    await sleep(500)
    const children = await service.killMain()
    assert.equal(children.length, 4)
    service.launch()
    // Until then, the old front may answer for the new one.
    await until('they have ended', () => !children.some(isAlive))
    await service.waitUntilReady()
    await sleep(300)
    await load.stop()
    assert.equal(await scanOnce({ port: service.port, code: 'NEVERGIVEN' }), 404)
    await assertAccounts(service, of, loads)
  })
})
