// Left to the soak: `durability/crash` ends processes in a worse way, `processes/supervisor` ends
// them in order.
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { hasVariants } from '@everscan/contract/testing/variants.ts'
import { assertAccounts, createCodes, type Codes } from '../support/accounts.ts'
import { openConnection, type Connection } from '../support/connections.ts'
import { newVisitor, startLoad, type Load, type Scanned } from '../support/load.ts'
import { startService, until, type Service } from '../support/service.ts'
import { isAlive } from '../../src/processes/testing/signals.ts'

/** Docker sends SIGKILL after this time. */
const stopMsMax = 10_000
/** Without anything to wait for: less than the grace period of a running request. */
const quickStopMsMax = 5_500
const burstCount = 100
const scannersCount = 64
const callersCount = 4
const roles = ['front', 'api', 'worker', 'engine']

const stops = [
  { name: 'SIGTERM', send: (service: Service) => service.stop() },
  // Ctrl-C in a terminal signals every process at once.
  {
    name: 'SIGINT to all processes',
    send: (service: Service) => {
      service.signal(roles, 'SIGINT')
      return service.stop('SIGINT')
    },
  },
] as const

describe('stopping under load', () => {
  let service: Service
  let of: Codes
  const loads: Pick<Load, 'scanned'>[] = []
  before(async () => {
    service = await startService({ TRUST_PROXY: '127.0.0.1', RATE_LIMIT_PER_MINUTE: '0' })
    of = await createCodes(service, 2)
  })
  after(() => service.remove())
  beforeEach(() => service.waitUntilReady())

  const shortCode = (index: number): string => of.codes[index]?.shortCode ?? assert.fail()
  const key = () => ({ 'x-api-key': service.apiKey })
  for (const { name, send } of hasVariants ? stops : stops.slice(0, 1))
    test(`${name}: no request is dropped, everything is written, code 0 within 10 s, no process left`, async (t) => {
      const load = startLoad({ port: service.port, codes: [shortCode(1)], scansPerSecond: 200 })
      t.after(() => load.stop())
      const scanned: Scanned = { sent: 0, acknowledged: 0 }
      loads.push(load, { scanned: new Map([[shortCode(0), scanned]]) })
      const open = (count: number): Promise<Connection[]> =>
        Promise.all(Array.from({ length: count }, () => openConnection(service.port)))
      const scanning = (await open(scannersCount)).map((connection) =>
        askUntilClosed(connection, async () => {
          scanned.sent++
          const answer = await connection.send(`/${shortCode(0)}`, newVisitor())
          if (answer?.status === 302) scanned.acknowledged++
          return answer?.status
        }),
      )
      const calling = (await open(callersCount)).map((connection) =>
        askUntilClosed(connection, async () => {
          const answer = await connection.send(`/api/v1/organizations/${of.orgId}/qr-codes`, key())
          if (answer !== undefined) assert.equal(answer.status, 200)
          return answer?.status
        }),
      )
      await sleep(1_000)

      // A connection whose request is in transit when the stop comes, and one whose request takes
      // long.
      const halfway = await openConnection(service.port)
      const afterStop = Promise.withResolvers<void>()
      const late = halfway.send('/api/v1/users/me/organizations', key(), afterStop.promise)
      const large = await openConnection(service.port)
      const path = `/api/v1/organizations/${of.orgId}/qr-codes/${of.codes[0]?.id}/download?size=4096`
      const picture = large.send(path, key())
      await sleep(50)
      // Like those that browsers open in advance: a connection without a request delays nothing.
      await open(2)
      // Many at once, whose connections the service has not even accepted when the stop comes.
      const burst = (await open(burstCount)).map(async (connection) => {
        scanned.sent++
        const answer = await connection.send(`/${shortCode(0)}`, newVisitor())
        if (answer?.status === 302) scanned.acknowledged++
        return answer?.status
      })

      const children = roles.flatMap(service.pids)
      const fromMs = performance.now()
      const ended = send(service)
      await sleep(500)
      afterStop.resolve()
      assert.equal((await late)?.status, 200, 'a request that had begun is answered')
      assert.equal((await picture)?.status, 200, 'a requested picture is sent')
      assert.deepEqual([...new Set(await Promise.all(burst))], [302])
      assert.equal(await ended, 0)
      const stopMs = performance.now() - fromMs
      assert.ok(stopMs < quickStopMsMax, `${stopMs} ms`)
      await until('no process is left', () => !children.some(isAlive), 1_000)

      await load.stop()
      const [scans, calls] = [sumOf(await Promise.all(scanning)), sumOf(await Promise.all(calling))]
      t.diagnostic(
        `stopped in ${Math.round(stopMs)} ms; ${scans.answered} scans and ${calls.answered} calls answered, ` +
          `${scans.dropped + calls.dropped} dropped; of the steady load ${load.problems.length} after the stop`,
      )
      assert.deepEqual(scans.dropped + calls.dropped, 0)
      // A client cannot know that an idle connection is being closed while it sends; every client
      // sends such a request again.
      assert.deepEqual(
        load.problems.filter((problem) => problem.begunMs < fromMs),
        [],
      )

      service.launch()
      await service.waitUntilReady()
      await assertAccounts(service, of, loads)
    })

  test('clients that never end their request delay SIGTERM by less than 10 s', async (t) => {
    const children = roles.flatMap(service.pids)
    const tooLate = Promise.withResolvers<void>()
    const slow = await openConnection(service.port)
    const sent = slow.send('/api/v1/users/me/organizations', key(), tooLate.promise)
    await sleep(200)
    const fromMs = performance.now()
    assert.equal(await service.stop(), 0)
    const stopMs = performance.now() - fromMs
    t.diagnostic(`stopped in ${Math.round(stopMs)} ms`)
    assert.ok(stopMs > 1_000 && stopMs < stopMsMax, `${stopMs} ms`)
    tooLate.resolve()
    assert.equal(await sent, undefined)
    await until('no process is left', () => !children.some(isAlive), 1_000)
    service.launch()
    await service.waitUntilReady()
  })

  test('SIGTERM at any moment of the start: code 0, no process left', async () => {
    await service.stop()
    for (const waitMs of [400, 900, 1_600]) {
      service.launch()
      await sleep(waitMs)
      const children = roles.flatMap(service.pids)
      const fromMs = performance.now()
      const code = await service.stop()
      assert.ok(performance.now() - fromMs < stopMsMax)
      // Before its first line runs, a signal simply ends the process.
      assert.ok(code === 0 || (code === null && children.length === 0), `ended with ${code}`)
      await until('no process is left', () => !children.some(isAlive), 1_000)
    }
    service.launch()
    await service.waitUntilReady()
    await assertAccounts(service, of, loads)
  })
})

type Counts = { answered: number; dropped: number }

/** Sends request after request on one connection, until the service closes it. */
async function askUntilClosed(
  connection: Connection,
  ask: () => Promise<number | undefined>,
): Promise<Counts> {
  const counts = { answered: 0, dropped: 0 }
  for (let asked = 0; !connection.isClosed(); asked++) {
    if ((await ask()) === undefined) counts.dropped++
    else counts.answered++
    // Leaves the machine time for other work.
    if (asked % 4 === 0) await sleep(10)
  }
  connection.destroy()
  return counts
}

function sumOf(counts: readonly Counts[]): Counts {
  return {
    answered: counts.reduce((total, one) => total + one.answered, 0),
    dropped: counts.reduce((total, one) => total + one.dropped, 0),
  }
}
