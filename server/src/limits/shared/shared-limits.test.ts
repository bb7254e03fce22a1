import assert from 'node:assert/strict'
import { after, describe, test, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Database } from '../../db/database.ts'
import { CatalogueUnavailable } from '../../db/errors.ts'
import { prepareDatabase } from '../../db/migrations/migrate.ts'
import { openDatabase } from '../../db/open-database.ts'
import { onEitherDatabase, silentLog } from '../../db/testing/databases.ts'
import { startPostgres } from '../../db/testing/postgres.ts'
import type { ApiError } from '../../errors.ts'
import type { PlaceHolder } from '../../catalogue/organizations/callers.ts'
import type { RateLimitState } from '../rate-limit.ts'
import { LimitSharing } from './limit-sharing.ts'
import { SharedAttempts } from './shared-attempts.ts'
import { SharedBrake } from './shared-brake.ts'
import { SharedPlaces } from './shared-places.ts'
import { SharedRate } from './shared-rate.ts'

const minuteMs = 60_000

type Machine = { sharing: LimitSharing; rate: SharedRate }

/** Machines that know each other. Their leases are renewed only when the test says so. */
async function machinesOn(
  databases: readonly Database[],
  { limit, elapsedMs }: { limit: number; elapsedMs?: () => number },
): Promise<Machine[]> {
  const machines = databases.map((db, index) => {
    const options = { db, name: `machine-${index}`, key: 'a key', log: silentLog }
    const sharing = new LimitSharing({ ...options, ...(elapsedMs !== undefined && { elapsedMs }) })
    return { sharing, rate: new SharedRate(sharing, { kind: 'requests', limit }) }
  })
  for (let round = 0; round < 2; round++) for (const { sharing } of machines) await sharing.renew()
  return machines
}

/** Shortly after the beginning of a minute in which all machines know of each other. */
const laterMs = (): number => (Math.floor(Date.now() / minuteMs) + 3) * minuteMs + 5_500

/** Each machine measures its difference to the clock of the database, which is never exact. */
const isOneSecond = (seconds: number): boolean => seconds === 1 || seconds === 2

const allowedOf = (answers: readonly RateLimitState[]): number =>
  answers.filter(({ allowed }) => allowed).length

/** Sends requests to machines, each with its share of them, in bursts. */
async function load(
  machines: readonly Machine[],
  { weights, requests, nowMs }: { weights: readonly number[]; requests: number; nowMs: number },
): Promise<number[]> {
  const counts = await Promise.all(
    machines.map(async ({ rate }, index) => {
      let allowed = 0
      const all = Math.round(requests * (weights[index] ?? 0))
      for (let sent = 0; sent < all; sent += 50) {
        const burst = Array.from({ length: Math.min(50, all - sent) }, async () => rate.count('key_1', nowMs))
        allowed += allowedOf(await Promise.all(burst))
      }
      return allowed
    }),
  )
  return counts
}

function tell(
  context: TestContext,
  what: string,
  { allowed, limit }: { allowed: number; limit: number },
): void {
  context.diagnostic(`${what}: ${allowed} of ${limit}, ${((allowed / limit - 1) * 100).toFixed(2)} %`)
}

onEitherDatabase('limits that three processes count together', (open) => {
  const three = async (limit: number) => {
    const db = await open()
    return machinesOn([db, await open({ same: db }), await open({ same: db })], { limit })
  }

  test('a limit per minute holds within 5 %, however the requests are distributed', async (context) => {
    const limit = 6_000
    const machines = await three(limit)
    let nowMs = laterMs()
    for (const weights of [
      [1 / 3, 1 / 3, 1 / 3],
      [0.9, 0.05, 0.05],
      [1, 0, 0],
    ]) {
      const before = machines.map(({ rate }) => rate.asked)
      const allowed = (await load(machines, { weights, requests: 9_000, nowMs })).reduce((a, b) => a + b)
      tell(context, weights.map((weight) => weight.toFixed(2)).join(' '), { allowed, limit })
      assert.ok(allowed >= limit * 0.95 && allowed <= limit * 1.05, `${allowed} of ${limit}`)
      const asked = machines.reduce((sum, { rate }, index) => sum + rate.asked - (before[index] ?? 0), 0)
      assert.ok(asked < 150, `the catalogue was asked ${asked} times for 9,000 requests`)
      nowMs += minuteMs
    }
  })

  test('a key with few requests costs no query, and a process alone never exceeds the limit', async () => {
    const [machine] = await machinesOn([await open()], { limit: 1_000 })
    assert.ok(machine !== undefined)
    const nowMs = laterMs() + 15_000
    const first = machine.rate.count('key_1', nowMs)
    assert.deepEqual(first, { allowed: true, limit: 1_000, remaining: 999, resetSeconds: 40 })
    for (let sent = 1; sent < 50; sent++) await machine.rate.count('key_1', nowMs)
    assert.equal(machine.rate.asked, 0)
    const answers: RateLimitState[] = []
    for (let sent = 50; sent < 1_100; sent++) answers.push(await machine.rate.count('key_1', nowMs))
    assert.deepEqual(
      answers.slice(0, 950).map(({ remaining }) => remaining),
      Array.from({ length: 950 }, (_, index) => 949 - index),
    )
    assert.equal(allowedOf(answers), 950)
    assert.deepEqual(answers.at(-1), { allowed: false, limit: 1_000, remaining: 0, resetSeconds: 40 })
    assert.equal((await machine.rate.count('key_2', nowMs)).allowed, true, 'another key')
    assert.equal((await machine.rate.count('key_1', nowMs + 45_000)).allowed, true, 'the next minute')
  })

  test('small limits are exact, also for requests at the same time', async () => {
    const machines = await three(10)
    const nowMs = laterMs()
    const answers = await Promise.all(
      machines.flatMap(({ rate }) => Array.from({ length: 10 }, async () => rate.count('network', nowMs))),
    )
    assert.equal(allowedOf(answers), 10)
  })

  test('the share of a machine that died is left alone until its lease has ended', async (context) => {
    const limit = 6_000
    const machines = await three(limit)
    const [first] = machines
    assert.ok(first !== undefined)
    const { db } = first.sharing
    await sql`update limit_members set renewed_at_ms = renewed_at_ms - 20000 where name = 'machine-2'`.execute(
      db.kysely,
    )
    const alive = machines.slice(0, 2)
    const options = { weights: [0.5, 0.5], requests: 9_000 }
    const nowMs = laterMs()
    const reserved = (await load(alive, { ...options, nowMs })).reduce((a, b) => a + b)
    tell(context, 'with the share of a dead machine left alone', { allowed: reserved, limit })
    assert.ok(reserved <= limit * (2 / 3 + 0.05), `${reserved}`)
    await sql`update limit_members set lease_until_ms = 1 where name = 'machine-2'`.execute(db.kysely)
    for (const { sharing } of alive) await sharing.renew()
    const all = (await load(alive, { ...options, nowMs: nowMs + minuteMs })).reduce((a, b) => a + b)
    tell(context, 'after its lease', { allowed: all, limit })
    assert.ok(all >= limit * 0.95 && all <= limit * 1.05, `${all}`)
  })

  test('a machine that is stopped gives back its share and its places at once', async () => {
    const db = await open()
    const [stopped, other] = await machinesOn([db, await open({ same: db })], { limit: 100 })
    assert.ok(stopped !== undefined && other !== undefined)
    assert.equal(other.sharing.members(), 2)
    const places = new SharedPlaces(stopped.sharing, placesOf(1))
    await places.take(someHolder)
    await stopped.sharing.stop()
    await other.sharing.renew()
    assert.equal(other.sharing.members(), 1)
    await new SharedPlaces(other.sharing, placesOf(1)).take(someHolder)
  })

  test('failed attempts count on all machines together, and a right one forgets them everywhere', async () => {
    const machines = await three(1)
    const attempts = machines.map(({ sharing }) => new SharedAttempts(sharing, 'accounts'))
    const nowMs = Date.now()
    const wait = async (index: number, atMs: number) => waitOf(async () => attempts[index]?.begin('a', atMs))
    const waits = []
    for (let tried = 0; tried < 9; tried++) waits.push(await wait(tried % 3, nowMs))
    assert.deepEqual(waits.slice(0, 5), [0, 0, 0, 0, 0])
    assert.ok(waits.slice(5).every(isOneSecond), String(waits))
    assert.ok(isOneSecond(await waitOf(async () => attempts[1]?.check('a', nowMs))))
    assert.equal(await wait(0, nowMs + 1_600), 0)
    assert.ok((await wait(1, nowMs + 1_700)) >= 2)
    await attempts[2]?.succeed('a')
    assert.equal(await wait(0, nowMs + 3_200), 0)
    const atOnce = await Promise.all(
      Array.from({ length: 60 }, async (_, index) =>
        waitOf(async () => attempts[index % 3]?.begin('b', nowMs)),
      ),
    )
    assert.equal(atOnce.filter((seconds) => seconds === 0).length, 5)
  })

  test('an account has one pace for all machines, and no machine asks while it is used up', async () => {
    const machines = await three(1)
    const brakes = machines.map(({ sharing }) => new SharedBrake(sharing, 'accounts'))
    const nowMs = Date.now()
    const attempt = async (index: number, { network, atMs = nowMs }: { network: string; atMs?: number }) =>
      waitOf(async () => brakes[index % 3]?.begin('ada', network, atMs))
    const all = await Promise.all(
      Array.from({ length: 150 }, async (_, index) => attempt(index, { network: `bot ${index}` })),
    )
    assert.equal(all.filter((seconds) => seconds === 0).length, 50)
    let passed = 0
    for (let second = 1; second <= 60; second++)
      for (let index = 0; index < 3; index++) {
        const network = `bot ${second} ${index}`
        if ((await attempt(index, { network, atMs: nowMs + second * 1_000 })) === 0) passed++
      }
    assert.equal(passed, 60 / 5)
    const later = nowMs + 60_000
    assert.equal(await attempt(0, { network: 'owner', atMs: later }), 10)
    assert.equal(await attempt(0, { network: 'owner', atMs: later + 10_000 }), 0, 'its turn')
  })

  test('places of a key count on all machines together, also if many are taken at once', async () => {
    const machines = await three(1)
    const places = machines.map(({ sharing }) => new SharedPlaces(sharing, placesOf(4)))
    const taken = await Promise.allSettled(
      Array.from({ length: 12 }, async (_, index) => places[index % 3]?.take(someHolder)),
    )
    const held = taken.flatMap((one) => (one.status === 'fulfilled' && one.value ? [one.value] : []))
    assert.equal(held.length, 4)
    const refused = taken.find((one) => one.status === 'rejected')
    assert.match(String(refused?.reason), /This API key has 4 downloads open, its maximum/)
    held[0]?.()
    const deadlineMs = Date.now() + 5_000
    for (;;)
      try {
        await places[2]?.take(someHolder)
        break
      } catch (error) {
        if (Date.now() > deadlineMs) throw error
        await sleep(10)
      }
    await assert.rejects(async () => places[0]?.take(someHolder))
  })

  test('a place that ended is free for the next request of the same client', async () => {
    const [machine = assert.fail()] = await three(1)
    const places = new SharedPlaces(machine.sharing, placesOf(2))
    for (let request = 0; request < 20; request++) (await places.take(someHolder))()
  })
})

describe('limits while PostgreSQL is away', () => {
  test('each machine goes on with its share, and what it used counts when PostgreSQL is back', async (context) => {
    const limit = 6_000
    const postgres = await startPostgres()
    after(() => postgres.remove())
    const options = { databaseUrl: await postgres.createDatabase(), dataDir: '', log: silentLog }
    const databases = [
      await prepareDatabase(options),
      await openDatabase({ ...options, role: 'writer' }),
      await openDatabase({ ...options, role: 'writer' }),
    ]
    after(() => Promise.all(databases.map((db) => db.close())))
    let passedMs = 0
    const elapsedMs = () => performance.now() + passedMs
    const machines = await machinesOn(databases, { limit, elapsedMs })
    let nowMs = laterMs()
    const before = (await load(machines, { weights: [0.2, 0.1, 0.1], requests: 9_000, nowMs })).reduce(
      (a, b) => a + b,
    )
    assert.equal(before, 3_600)
    // Not killed: this server writes nothing durably.
    await postgres.stop()
    // Each uses the rest of its last part. Beyond it, only the catalogue would know.
    const rest = await Promise.all(
      machines.map(async ({ rate }) => {
        for (let used = 0; ; used++)
          try {
            assert.equal((await rate.count('key_1', nowMs)).allowed, true)
          } catch (error) {
            assert.ok(error instanceof CatalogueUnavailable)
            return used
          }
      }),
    )
    const first = before + rest.reduce((a, b) => a + b)
    tell(context, 'the minute in which PostgreSQL died', { allowed: first, limit })
    assert.ok(first <= limit * 1.05)
    passedMs += 2 * minuteMs
    nowMs += minuteMs
    const away = await load(machines, { weights: [0.8, 0.1, 0.1], requests: 9_000, nowMs })
    assert.deepEqual(away, [2_000, 900, 900])
    await postgres.start()
    // The catalogue has not heard of them for as long as they think.
    await sql`update limit_members set renewed_at_ms = renewed_at_ms - 20000`.execute(
      databases[0]?.kysely ?? assert.fail(),
    )
    const counts = []
    for (const machine of machines) {
      await machine.sharing.renew()
      counts.push(...(await load([machine], { weights: [1], requests: 9_000, nowMs })))
    }
    const second = [...away, ...counts].reduce((a, b) => a + b)
    tell(context, 'the minute in which it came back', { allowed: second, limit })
    assert.ok(second <= limit * 1.05, `${second}`)
    const next = await load(machines, { weights: [1, 0, 0], requests: 9_000, nowMs: nowMs + minuteMs })
    assert.ok((next[0] ?? 0) >= limit * 0.95, `${next[0]} in the next minute`)
  })
})

const someHolder: PlaceHolder = {
  organizationId: 'org_1',
  keyId: 'key_1',
  sessionId: undefined,
  userId: 'usr_1',
}

const placesOf = (keyMax: number) => ({
  noun: 'downloads',
  keyMax,
  accountMax: 100,
  organizationMax: 100,
  totalMax: 100,
})

/** Seconds that an attempt has to wait; 0: it may be made. */
async function waitOf(attempt: () => Promise<unknown>): Promise<number> {
  try {
    await attempt()
    return 0
  } catch (error) {
    if ((error as ApiError).status !== 429) throw error
    return Number((error as ApiError).headers['retry-after'])
  }
}
