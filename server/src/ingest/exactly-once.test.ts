import { randomFrom, testSeed, type Random } from '@everscan/contract/testing/random.ts'
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { after, test } from 'node:test'
import { pino } from 'pino'
import { storeCalls } from '../analytics/testing/store-calls.ts'
import { ScanStoreUnavailable } from '../analytics/scan-store.ts'
import type { ClickHouse } from '../analytics/store/clickhouse.ts'
import type { Database } from '../db/database.ts'
import { openIntents, readCheckpoint, readDueUniques } from '../db/scans/ingest-checkpoints.ts'
import { openNewSqlite } from '../db/testing/databases.ts'
import type { RawScan } from '../journal/raw-scan.ts'
import { ingestCalls, type IngestCalls } from './clickhouse/ingest-calls.ts'
import {
  countersOf,
  openTestJournal,
  record,
  someScan,
  startIngestSuite,
  startTestIngest,
  storedOf,
  until,
} from './testing/ingest.ts'
import { insertCode } from '../db/testing/codes.ts'
import type { Ingest } from './ingest.ts'

const isSoak = process.env.SOAK === '1'
const firstSeed = testSeed()
const seeds = Array.from({ length: isSoak ? 50 : 1 }, (_, index) => firstSeed + index)
const scansCount = isSoak ? 100_000 : 10_000
const codes = Array.from({ length: 20 }, (_, index) => `qr_${String(index).padStart(2, '0')}`)
const machines = ['a', 'b']
const fronts = ['front-0', 'front-1']

const { remove, root, store } = await startIngestSuite()

/** The last calls of all workers, with those that killed them, and what they logged. */
const lastCalls: string[] = []
/** Also has every failure: a service logs the first of many. */
const log = pino(
  { level: 'warn' },
  new Writable({
    write(line: Buffer, _encoding, done) {
      const { msg, error } = JSON.parse(line.toString()) as { msg: string; error?: string }
      note(`${msg} ${error ?? ''}`)
      done()
    },
  }),
)
after(remove)

for (const seed of seeds) {
  test(`every scan is counted once, despite faults of inserts and workers (SEED=${seed})`, async () => {
    const random = randomFrom(seed)
    const organizationId = `org_${seed}`
    const dataDir = join(root, String(seed))
    const db = await openNewSqlite(dataDir)
    // The last code was deleted in the meantime: its scans remain, its counters are gone.
    for (const id of codes.slice(0, -1)) await insertCode(db, organizationId, id)

    const faults = { lostRequests: 0, lostAnswers: 0, twice: 0, crashes: 0 }
    const faulty = faultyStore(random, faults)
    const workers = machines.map((machine) =>
      superviseWorker({ db, store: faulty, journalRoot: join(dataDir, machine), random, faults }),
    )
    const scans = Array.from({ length: scansCount }, (_, index) => randomScan(random, organizationId, index))
    const written = await Promise.all(
      machines.flatMap((machine, m) =>
        fronts.map(async (front, f) => {
          const share = scans.filter((_, index) => index % 4 === m * 2 + f)
          const journal = openTestJournal(join(dataDir, machine), front, 200_000)
          for (let at = 0; at < share.length; at += 250) {
            await record(journal, share.slice(at, at + 250))
            await new Promise((resolve) => setTimeout(resolve, 20))
          }
          await journal.close()
          return { writer: journal.writerId ?? '', count: share.length }
        }),
      ),
    )
    try {
      for (const { writer, count } of written) await untilIngested(db, writer, count)
      await until(async () => (await readDueUniques(db, 1)).length === 0)
    } catch (error) {
      console.log(`SEED=${seed}: ${JSON.stringify(faults)}, last calls: ${lastCalls.join(', ')}`)
      throw error
    } finally {
      for (const worker of workers) await (await worker).end()
    }

    const expected = expectedOf(scans)
    const stored = await storedOf(store, organizationId)
    assert.equal(stored.rows, scansCount)
    assert.equal(stored.hits, scansCount, 'a scan is in the store twice')
    assert.deepEqual(stored.codes, expected)
    delete expected[codes.at(-1) ?? '']
    assert.deepEqual(await countersOf(db), expected)
    await db.close()
    console.log(`SEED=${seed}: ${scansCount} scans exact after ${JSON.stringify(faults)}`)
    assert.ok(Object.values(faults).reduce((sum, count) => sum + count) > 5, 'hardly anything went wrong')
  })
}

type Faults = { lostRequests: number; lostAnswers: number; twice: number; crashes: number }

/**
 * For 20 % of the inserts, the request is lost, the response is lost, or the request is sent twice
 * (half of those beyond the deduplication window).
 */
function faultyStore(random: Random, faults: Faults): ClickHouse {
  return {
    ...storeCalls(store),
    async insert(table, columns, text, options = {}) {
      const luck = random()
      if (luck < 0.07) {
        faults.lostRequests++
        throw new ScanStoreUnavailable(new Error('the request was lost'))
      }
      await store.insert(table, columns, text, options)
      if (luck < 0.14) {
        faults.lostAnswers++
        throw new ScanStoreUnavailable(new Error('the answer was lost'))
      }
      if (luck < 0.2) {
        faults.twice++
        const token = luck < 0.17 ? {} : { insert_deduplication_token: String(random()) }
        await store.insert(table, columns, text, { ...options, settings: { ...options.settings, ...token } })
      }
    },
  }
}

/** The calls of a store for a process: once it was killed, it sends no other statement. */
function ofProcess(calls: ClickHouse, isDead: () => boolean): ClickHouse {
  const never = new Promise<never>(() => {})
  return {
    ...calls,
    select: (...call) => (isDead() ? never : calls.select(...call)),
    bytes: (...call) => (isDead() ? never : calls.bytes(...call)),
    command: (...call) => (isDead() ? never : calls.command(...call)),
    insert: (...call) => (isDead() ? never : calls.insert(...call)),
  }
}

function note(text: string): void {
  lastCalls.push(`${Math.round(performance.now())} ms ${text}`)
  if (lastCalls.length > 60) lastCalls.shift()
}

type WorkerOptions = { db: Database; store: ClickHouse; journalRoot: string; random: Random; faults: Faults }

/** Starts a worker that stops before or after 1 % of its calls, as if killed, and restarts. */
async function superviseWorker({
  random,
  faults,
  ...options
}: WorkerOptions): Promise<{ end(): Promise<void> }> {
  let current: Ingest | undefined
  let ended = false

  async function start(): Promise<void> {
    let isDead = false
    const never = () => {
      if (!isDead) {
        isDead = true
        faults.crashes++
        void current?.stop()
        setTimeout(() => void start(), 30)
      }
      return new Promise<never>(() => {})
    }
    const call = async (name: string, go: () => Promise<unknown>): Promise<unknown> => {
      note(name)
      if (isDead || random() < 0.01) return never()
      const result = await go()
      return isDead || random() < 0.01 ? never() : result
    }
    const calls = Object.fromEntries(
      Object.entries(ingestCalls).map(([name, real]) => [
        name,
        (...args: unknown[]) =>
          call(name, () => (real as (...given: unknown[]) => Promise<unknown>)(...args)),
      ]),
    ) as IngestCalls
    if (ended) return
    const started = await startTestIngest({
      ...options,
      store: ofProcess(options.store, () => isDead),
      log,
      calls,
      rowsMax: scansCount / 80,
      isAlone: false,
    })
    // One that was killed while it started does not take the place of the next.
    if (isDead || ended) void started.stop()
    else current = started
  }
  await start()
  return {
    async end() {
      ended = true
      await current?.stop()
    },
  }
}

/** Waits for as long as batches go on: a busy machine takes its time, a standstill is a fault. */
async function untilIngested(db: Database, writer: string, count: number): Promise<void> {
  for (let upTo = await readUpTo(db, writer); upTo < count; upTo = await readUpTo(db, writer)) {
    const before = upTo
    await until(async () => (await readUpTo(db, writer)) > before)
  }
  await until(async () => (await openIntents(db, writer)).length === 0)
}

async function readUpTo(db: Database, writer: string): Promise<number> {
  return (await readCheckpoint(db, writer))?.sequence ?? 0
}

/**
 * Returns a scan around the end of a month, with slight clock jitter; every tenth comes from a bot.
 */
function randomScan(random: Random, organizationId: string, index: number): RawScan {
  return someScan({
    organizationId,
    qrCodeId: codes[Math.floor(random() * codes.length)] ?? '',
    visitor: Math.floor(random() * 2000),
    timeMs: Date.UTC(2026, 3, 1) - scansCount / 2 + index + Math.floor(random() * 10),
    ...(random() < 0.1 && { userAgent: 'curl/8.5.0' }),
  })
}

function expectedOf(scans: readonly RawScan[]): Record<string, [number, number]> {
  const expected: Record<string, [number, number]> = {}
  for (const id of codes) {
    const human = scans.filter(({ qrCodeId, userAgent }) => qrCodeId === id && userAgent !== 'curl/8.5.0')
    expected[id] = [human.length, new Set(human.map(({ visitor }) => visitor)).size]
  }
  return expected
}
