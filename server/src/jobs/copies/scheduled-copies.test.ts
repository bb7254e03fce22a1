import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { readCopies } from '../../catalogue/installation/copies.ts'
import type { Database } from '../../db/database.ts'
import { ensureInstallation } from '../../db/installation.ts'
import { forEachDatabase, silentLog } from '../../db/testing/databases.ts'
import {
  startScheduledCopies,
  type CopyMaker,
  type MadeFile,
  type ScheduledCopiesOptions,
} from './scheduled-copies.ts'

const hourMs = 3_600_000
const file: MadeFile = {
  path: '/backup/everscan.copy',
  bytes: 5,
  counts: { organizations: 1, codes: 2, scans: 3, frames: 0 },
}
const never = (signal: AbortSignal) =>
  new Promise<never>((_, reject) =>
    signal.addEventListener('abort', () => reject(new Error('ended by SIGTERM'))),
  )

/** Creates workers with made-up outcomes, on a clock that the test sets. */
async function someWorkers(db: Database) {
  await ensureInstallation(db)
  const calls: string[] = []
  const time = { nowMs: Date.now() + hourMs }
  const maker: CopyMaker = { make: async () => file, verify: async () => undefined }
  const start = (options: Partial<ScheduledCopiesOptions> = {}) =>
    startScheduledCopies({
      db,
      dir: '/backup',
      everyMs: 24 * hourMs,
      keep: 7,
      machine: 'one',
      log: silentLog,
      clock: () => time.nowMs,
      pollMs: 5,
      maker: {
        make: async (work) => {
          calls.push(`make, keep ${work.keep}`)
          return maker.make(work)
        },
        verify: async (path, work) => {
          calls.push(`verify ${path}`)
          return maker.verify(path, work)
        },
      },
      ...options,
    })
  return { start, calls, time, maker }
}

async function until(condition: () => Promise<boolean> | boolean): Promise<void> {
  const untilMs = Date.now() + 30_000
  while (!(await condition())) {
    assert.ok(Date.now() < untilMs, 'waited for 30 s')
    await sleep(5)
  }
}

const statesOf = async (db: Database) => (await readCopies(db)).map(({ state }) => state)

forEachDatabase('scheduled copies', (open) => {
  test('are made and verified when they are due, by one of several workers', async (t) => {
    const db = await open()
    const { start, calls, time } = await someWorkers(db)
    const all = [start(), start(), start()]
    t.after(() => Promise.all(all.map((worker) => worker.stop())))
    const round = ['make, keep 7', `verify ${file.path}`]
    await until(async () => (await statesOf(db))[0] === 'VERIFIED')
    assert.deepEqual(calls, round)
    time.nowMs += 24 * hourMs - 1
    await sleep(50)
    assert.deepEqual(calls, round)
    time.nowMs += 1
    await until(async () => (await statesOf(db)).join() === 'VERIFIED,VERIFIED')
    assert.deepEqual(calls, [...round, ...round])
    const sum = (outcome: 'made' | 'verified' | 'failed') =>
      all.reduce((total, { stats }) => total + stats[outcome], 0)
    // The catalogue has an outcome before its worker knows that and counts it.
    await until(() => sum('verified') === 2)
    assert.deepEqual([sum('made'), sum('failed')], [2, 0])
  })

  test('a failure is written down with its sentence, and tried again in its time', async (t) => {
    const db = await open()
    const { start, calls, time, maker } = await someWorkers(db)
    maker.make = async () => {
      throw new Error('BACKUP_DIR /backup does not exist')
    }
    const worker = start()
    t.after(() => worker.stop())
    await until(async () => (await statesOf(db))[0] === 'FAILED')
    assert.equal(
      (await readCopies(db))[0]?.problem,
      'no copy could be made: BACKUP_DIR /backup does not exist',
    )
    maker.make = async () => file
    maker.verify = async () => {
      throw new Error('it is not the same')
    }
    time.nowMs += hourMs / 4 - 1
    await sleep(50)
    assert.equal(calls.length, 1)
    time.nowMs += 1
    await until(
      async () =>
        (await readCopies(db))[0]?.problem === `${file.path} could not be verified: it is not the same`,
    )
    maker.verify = async () => undefined
    time.nowMs += hourMs / 4
    await until(async () => (await statesOf(db))[0] === 'VERIFIED')
    assert.deepEqual(calls, ['make, keep 7', 'make, keep 7', `verify ${file.path}`, `verify ${file.path}`])
    await until(() => worker.stats.verified === 1)
    assert.deepEqual(worker.stats, { made: 1, verified: 1, failed: 2 })
  })

  test('a stop breaks off what is under way and counts it as nothing', async () => {
    const db = await open()
    const { start, calls, maker } = await someWorkers(db)
    maker.make = async ({ signal }) => never(signal)
    const worker = start()
    await until(() => calls.length === 1)
    await worker.stop()
    assert.deepEqual(await readCopies(db), [])
    assert.deepEqual(worker.stats, { made: 0, verified: 0, failed: 0 })

    maker.make = async () => file
    maker.verify = async (_, { signal }) => never(signal)
    const next = start()
    await until(() => calls.length === 3)
    await next.stop()
    assert.deepEqual(await statesOf(db), ['CHECKED'])
    maker.verify = async () => undefined
    const last = start()
    await until(async () => (await statesOf(db))[0] === 'VERIFIED')
    await last.stop()
  })

  test('a lease is renewed while a copy takes long; a worker that lost it breaks off and writes nothing', async (t) => {
    const db = await open()
    const { start, calls, time, maker } = await someWorkers(db)
    let broken = false
    maker.make = async ({ signal }) =>
      never(signal).finally(() => {
        broken = true
      })
    const leaseMs = 200
    const slow = start({ leaseMs })
    t.after(() => slow.stop())
    await until(() => calls.length === 1)
    const [begun] = await readCopies(db)
    time.nowMs += leaseMs - 1
    await until(
      async () => ((await readCopies(db))[0]?.leaseUntilMs ?? 0) > (begun?.leaseUntilMs ?? Infinity),
    )
    assert.equal(broken, false)
    // As if this worker had slept, and another one had taken over meanwhile.
    await db.kysely.updateTable('copies').set({ lease_number: 9, state: 'FAILED', failures: 1 }).execute()
    await until(() => broken)
    const [copy] = await readCopies(db)
    assert.deepEqual([copy?.state, copy?.leaseNumber], ['FAILED', 9])
    assert.deepEqual(slow.stats, { made: 0, verified: 0, failed: 0 })
  })
})
