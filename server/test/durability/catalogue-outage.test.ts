import assert from 'node:assert/strict'
import { after, before, describe, test, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { UnavailableError } from '@everscan/client/create-client.ts'
import type { TestPostgres } from '../../src/db/testing/postgres.ts'
import { testPostgres } from '../../src/db/testing/databases.ts'
import { assertAccounts, assertNoneFailed, createCodes, type Codes } from '../support/accounts.ts'
import { scanOnce, startLoad, type Load } from '../support/load.ts'
import { childrenOf, statusRefresh, startService, until, type Service } from '../support/service.ts'
import { sendSignal } from '../../src/processes/testing/signals.ts'

const outageMs = process.env['SOAK'] === '1' ? 30 * 60_000 : 4_000
const scansPerSecond = 100
/**
 * The time after which a hanging catalogue is given up; one that refuses connections is given up at
 * once.
 */
const hangMsMax = 14_000

describe('the catalogue is down (PostgreSQL)', () => {
  let postgres: TestPostgres
  let service: Service
  let of: Codes
  const loads: Load[] = []

  before(async () => {
    postgres = await testPostgres()
    const env = { DATABASE_URL: await postgres.createDatabase(), TRUST_PROXY: '127.0.0.1' }
    service = await startService({ ...env, RATE_LIMIT_PER_MINUTE: '0' })
    of = await createCodes(service, 4)
  })
  after(() => service.remove())

  const shortCode = (index: number): string => of.codes[index]?.shortCode ?? assert.fail()
  const scanning = (t: TestContext): Load => {
    const load = startLoad({ port: service.port, codes: [shortCode(0)], scansPerSecond })
    loads.push(load)
    t.after(() => load.stop())
    return load
  }
  /** A single scan that counts like the scans of a load. */
  const scan = async (index: number): Promise<number> => {
    const status = await scanOnce({ port: service.port, code: shortCode(index) })
    if (status === 302) singles.set(shortCode(index), { sent: 1, acknowledged: 1 })
    return status
  }
  const singles = new Map<string, { sent: number; acknowledged: number }>()
  const assertAllCounted = () => assertAccounts(service, of, [...loads, { scanned: singles }])
  const assertApiUnavailable = (): Promise<void> =>
    assert.rejects(
      service.client({ retries: 0 }).organizations.listMine(),
      (error) =>
        error instanceof UnavailableError && error.code === 'UNAVAILABLE' && error.retryAfterMs === 5_000,
    )
  const works = (): Promise<boolean> =>
    service
      .client({ retries: 0 })
      .organizations.listMine()
      .then(
        () => true,
        () => false,
      )

  const isTold = async () => (await service.readiness()).parts['catalogue']?.problem === 'catalogueSilent'

  test('it is stopped: known codes redirect, unknown ones and the API return 503, then everything recovers', async (t) => {
    const load = scanning(t)
    await until('the code is known', () => load.total().acknowledged > 0)
    await postgres.stop()
    assert.equal(await scan(1), 503)
    await assertApiUnavailable()
    await statusRefresh()
    await until('the catalogue is told', isTold)
    await sleep(outageMs)
    assert.equal(await scan(1), 503)
    await postgres.start()
    const backMs = await until('the API has recovered', works, 30_000)
    assert.equal(await scan(1), 302)
    await assertNoneFailed(load)
    t.diagnostic(
      `back after ${Math.round(backMs)} ms; the slowest redirect took ${Math.round(load.slowestMs())} ms`,
    )
    await assertAllCounted()
  })

  test('it hangs: the same, and no client waits for ever', async (t) => {
    const load = scanning(t)
    await until('the code is known', () => load.total().acknowledged > 0)
    const backends = [postgres.pid(), ...childrenOf(postgres.pid()).map(({ pid }) => pid)]
    for (const pid of backends) sendSignal(pid, 'SIGSTOP')
    try {
      const fromMs = performance.now()
      await Promise.all([scan(2).then((status) => assert.equal(status, 503)), assertApiUnavailable()])
      const waitedMs = performance.now() - fromMs
      t.diagnostic(`503 after ${Math.round(waitedMs)} ms at the latest`)
      assert.ok(waitedMs < hangMsMax)
      await until('the catalogue is told', isTold)
    } finally {
      for (const pid of backends) sendSignal(pid, 'SIGCONT')
    }
    await until('the API has recovered', works, 30_000)
    assert.equal(await scan(2), 302)
    await assertNoneFailed(load)
    await assertAllCounted()
  })

  test('it is down when the service starts: 503 until it is there, and no process is given up', async () => {
    await service.stop()
    await postgres.stop()
    service.launch()
    const answers = (): Promise<number> => scanOnce({ port: service.port, code: shortCode(3) }).catch(() => 0)
    await until('the front answers', async () => (await answers()) === 503, 30_000)
    assert.equal((await service.readiness()).status, 'starting')
    await postgres.start()
    await service.waitUntilReady()
    assert.equal(await scan(3), 302)
    await assertAllCounted()
  })
})
