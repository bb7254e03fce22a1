// Three machines over one PostgreSQL count the requests of one key together: evenly, unevenly, with
// one of them killed, and around a restart of PostgreSQL. Prints how far the limit was exceeded.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, test, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startPostgres, type TestPostgres } from '../../src/db/testing/postgres.ts'
import { startStoreServer } from '../support/scan-store-server.ts'
import { startService, type Service } from '../support/service.ts'

const limit = 600
const minuteMs = 60_000
/** All machines know of each other, and each has its allowance, from the next minute on. */
const joinedMs = 8_000

describe('a limit of three machines', { concurrency: 1 }, () => {
  let postgres: TestPostgres
  let store: Awaited<ReturnType<typeof startStoreServer>>
  let machines: Service[]
  before(async () => {
    postgres = await startPostgres()
    store = await startStoreServer()
    const env = {
      DATABASE_URL: await postgres.createDatabase(),
      CLICKHOUSE_URL: store.url,
      SECRET: randomBytes(24).toString('hex'),
      BOOTSTRAP_API_KEY: `evs_${randomBytes(24).toString('hex')}`,
      RATE_LIMIT_PER_MINUTE: String(limit),
      LOG_LEVEL: 'warn',
    }
    machines = [await startService(env), await startService(env), await startService(env)]
    await sleep(joinedMs)
  })
  after(async () => {
    await Promise.all(machines.map((machine) => machine.remove()))
    await store.stop()
    await postgres.remove()
  })

  /** Sends requests from the beginning of a minute to its end. Returns how many were answered. */
  async function minute(
    context: TestContext,
    { weights, during }: { weights: readonly number[]; during?: () => Promise<void> },
  ): Promise<number> {
    await sleep(minuteMs - (Date.now() % minuteMs) + 500)
    const endMs = Date.now() + minuteMs - 6_000
    let answered = 0
    let refused = 0
    const disturbing = sleep(10_000).then(during)
    await Promise.all(
      machines.map(async (machine, index) => {
        const weight = weights[index] ?? 0
        if (weight === 0) return
        while (Date.now() < endMs) {
          const status = await statusOf(machine)
          if (status === 200) answered++
          if (status === 429) refused++
          await sleep(status === 200 || status === 429 ? 20 / weight : 200)
        }
      }),
    )
    await disturbing
    const over = ((answered / limit - 1) * 100).toFixed(2)
    context.diagnostic(
      `${weights.join(' ')}: ${answered} of ${limit} answered (${over} %), ${refused} refused`,
    )
    return answered
  }

  const atMost = limit * 1.05
  const killMachine = async (): Promise<void> => machines[2]?.kill()
  const restartPostgres = async (): Promise<void> => {
    await postgres.stop()
    await sleep(15_000)
    await postgres.start()
  }

  test('holds for even and uneven load', async (context) => {
    for (const weights of [
      [1, 1, 1],
      [2, 0.1, 0.1],
    ]) {
      const answered = await minute(context, { weights })
      assert.ok(answered <= atMost && answered >= limit * 0.95, `${answered}`)
    }
  })

  test('holds while PostgreSQL is stopped and started again', async (context) => {
    assert.ok((await minute(context, { weights: [1, 1, 1], during: restartPostgres })) <= atMost)
  })

  test('holds while a machine is killed, and its share comes back after its lease', async (context) => {
    assert.ok((await minute(context, { weights: [1, 1, 1], during: killMachine })) <= atMost)
    const reserved = await minute(context, { weights: [1, 1] })
    assert.ok(reserved <= atMost)
    const answered = await minute(context, { weights: [1, 1] })
    assert.ok(answered <= atMost && answered >= limit * 0.95, `${answered}`)
  })
})

async function statusOf(machine: Service): Promise<number> {
  const answer = await fetch(`${machine.baseUrl}/api/v1/users/me/organizations`, {
    headers: { 'x-api-key': machine.apiKey },
  }).catch(() => undefined)
  await answer?.arrayBuffer().catch(() => undefined)
  return answer?.status ?? 0
}
