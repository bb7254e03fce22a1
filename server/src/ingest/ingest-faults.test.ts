import assert from 'node:assert/strict'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { Scan } from '@everscan/contract/resources/scans.ts'
import { ClickHouseError } from '@clickhouse/client'
import { storeCalls } from '../analytics/testing/store-calls.ts'
import { ScanStoreUnavailable } from '../analytics/scan-store.ts'
import type { ClickHouse } from '../analytics/store/clickhouse.ts'
import type { Database } from '../db/database.ts'
import { firstPosition, keepEvents, readEventPages } from '../db/feeds/event-pages.ts'
import { openIntents, readCheckpoint } from '../db/scans/ingest-checkpoints.ts'
import { openNewSqlite } from '../db/testing/databases.ts'
import { deadLettersName } from './set-aside/dead-letters.ts'
import { readRecord } from '../analytics/insert/record-log.ts'
import { KeptRows } from './clickhouse/kept-rows.ts'
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

const { engine, newCase, remove, root, store } = await startIngestSuite()
const opened: Database[] = []
let databases = 0

after(async () => {
  await remove()
  for (const db of opened) await db.close()
})

/**
 * The calls' own effects on the catalogue are tested on PostgreSQL too, next to their definitions.
 */
async function openSqlite(): Promise<Database> {
  const db = await openNewSqlite(join(root, `db${databases++}`))
  opened.push(db)
  return db
}

/** Returns how many scans are events, and how many of those are unique. */
async function scanEventsOf(db: Database, organizationId: string): Promise<[number, number]> {
  const last = { version: String(2n ** 62n), pageId: '' }
  const range = { after: firstPosition, before: last, sinceMs: 0, limit: 100 }
  const pages = await readEventPages(db, [organizationId], range)
  const scans = pages.flatMap(({ events }) => events.map(({ data }) => data as Scan))
  assert.equal(new Set(scans.map(({ id }) => id)).size, scans.length)
  return [scans.length, scans.filter(({ isUnique }) => isUnique).length]
}

const names = Object.keys(ingestCalls) as (keyof IngestCalls)[]
for (const when of ['before', 'after'] as const) {
  test(`after a worker stops ${when} any call, the next worker makes the figures exact`, async () => {
    const db = await openSqlite()
    for (const [index, name] of names.entries()) {
      const { organizationId, journalRoot } = newCase()
      const qrCodeId = `qr_${index}`
      await insertCode(db, organizationId, qrCodeId)
      await keepEvents(db, [organizationId], Date.now() + 3_600_000)
      const journal = openTestJournal(journalRoot, 'front-0')
      // A stretch without rows, one with a poison record, and an insert whose response is lost:
      // this covers each call.
      const dropped = [1, 2, 3].map(() => someScan({ organizationId, timeMs: 1 }))
      const scans = [1, 1, 2, 3].map((visitor) => someScan({ organizationId, qrCodeId, visitor }))
      await record(journal, [...dropped, ...scans, someScan({ organizationId, network: 'poison' })])
      const options = { journalRoot, db, store, geography: poisonedGeography, rowsMax: 3 }
      let crashed = false
      let lost = false
      const calls = wrapCalls(async (called, go) => {
        if (called === name && !crashed) {
          if (when === 'after') await go()
          crashed = true
          return new Promise(() => {})
        }
        const result = await go()
        if (called === 'insertBatch' && !lost) {
          lost = true
          throw new Error('the answer was lost')
        }
        return result
      })
      const first = await startTestIngest({ ...options, calls })
      await until(() => crashed || first.stats.rows === 4)
      // These calls only process leftovers of an earlier run.
      assert.equal(
        crashed,
        !['refeedFirstScans', 'storedSequences', 'storedBatch'].includes(name),
        `${name} is called`,
      )
      void first.stop()
      const second = await startTestIngest({ ...options, calls })
      const writer = journal.writerId ?? ''
      await until(
        async () =>
          (await readCheckpoint(db, writer))?.sequence === 8 && (await openIntents(db, writer)).length === 0,
      )
      await second.stop()
      assert.deepEqual((await countersOf(db))[qrCodeId], [4, 3], `${when} ${name}`)
      assert.deepEqual(await scanEventsOf(db, organizationId), [4, 3], `${when} ${name}`)
      assert.deepEqual(
        (await storedOf(store, organizationId)).codes,
        { [qrCodeId]: [4, 3] },
        `${when} ${name}`,
      )
      await journal.close()
    }
  })
}

test('frames lost in a power failure after their batch was inserted are counted from the store', async () => {
  const db = await openSqlite()
  const { organizationId, journalRoot } = newCase()
  await insertCode(db, organizationId, 'qr_1')
  const dir = join(journalRoot, 'front-0')
  const journal = openTestJournal(journalRoot, 'front-0')
  await record(
    journal,
    [1, 1, 2].map((visitor) => someScan({ organizationId, visitor })),
  )
  let crashed = false
  const calls = wrapCalls(async (called, go) => {
    if (called !== 'commitBatch') return go()
    crashed = true
    return new Promise(() => {})
  })
  const first = await startTestIngest({ journalRoot, db, store, calls })
  await until(() => crashed)
  void first.stop()
  await journal.close()
  for (const name of await readdir(dir)) if (name.endsWith('.seg')) await rm(join(dir, name))
  const again = openTestJournal(journalRoot, 'front-0')
  await record(again, [someScan({ organizationId, visitor: 3 })])
  const second = await startTestIngest({ journalRoot, db, store })
  await until(() => second.stats.scans === 4)
  assert.deepEqual(await countersOf(db), { qr_1: [4, 3] })
  assert.deepEqual((await storedOf(store, organizationId)).codes, { qr_1: [4, 3] })
  await second.stop()
  await again.close()
})

test('a record that the store rejects is found and put aside; all others are ingested', async () => {
  const db = await openSqlite()
  const { organizationId, journalRoot } = newCase()
  await insertCode(db, organizationId, 'qr_1')
  const journal = openTestJournal(journalRoot, 'front-0')
  const scans = Array.from({ length: 40 }, (_, visitor) => someScan({ organizationId, visitor }))
  scans[23] = someScan({ organizationId, visitor: 23, referrerHost: 'poison.example' })
  await record(journal, scans)
  const ingest = await startTestIngest({
    journalRoot,
    db,
    store: refusingStore((text) => text.includes('poison.example')),
  })
  await until(() => ingest.stats.rows === 39 && ingest.stats.deadLetters === 1)
  await ingest.stop()
  assert.deepEqual(await countersOf(db), { qr_1: [39, 39] })
  assert.deepEqual((await storedOf(store, organizationId)).codes, { qr_1: [39, 39] })
  const [letter, ...rest] = (await readFile(join(journalRoot, deadLettersName), 'utf8')).trim().split('\n')
  assert.deepEqual(rest, [])
  const { sequence, scan, problem } = JSON.parse(letter ?? '')
  assert.deepEqual([sequence, scan.referrerHost, problem], [24, 'poison.example', 'cannot parse'])
  assert.deepEqual([scan.network, scan.userAgent], [undefined, undefined])
  await journal.close()
})

test('a store that rejects everything loses at most 20 records; the others wait', async () => {
  const db = await openSqlite()
  const { organizationId, journalRoot } = newCase()
  await insertCode(db, organizationId, 'qr_1')
  const journal = openTestJournal(journalRoot, 'front-0')
  await record(
    journal,
    Array.from({ length: 30 }, (_, visitor) => someScan({ organizationId, visitor })),
  )
  let rejects = true
  const ingest = await startTestIngest({ journalRoot, db, store: refusingStore(() => rejects) })
  await until(() => ingest.stats.deadLetters === 20 && ingest.stats.failing !== undefined)
  rejects = false
  await until(() => ingest.stats.rows === 10)
  await ingest.stop()
  assert.equal(ingest.stats.deadLetters, 20)
  assert.deepEqual(await countersOf(db), { qr_1: [10, 10] })
  await journal.close()
})

test('while the store or the catalogue is unavailable, scans wait, and are ingested later', async () => {
  const db = await openSqlite()
  const { organizationId, journalRoot } = newCase()
  await insertCode(db, organizationId, 'qr_1')
  const journal = openTestJournal(journalRoot, 'front-0')
  await engine.stop()
  let isCatalogueAway = false
  const calls = wrapCalls((name, go) => {
    const isCatalogueCall =
      name === 'saveIntents' || name === 'commitBatch' || name === 'readCheckpoint' || name === 'openIntents'
    return isCatalogueAway && isCatalogueCall ? Promise.reject(new Error('away')) : go()
  })
  const ingest = await startTestIngest({ journalRoot, db, store, calls })
  await record(
    journal,
    [1, 2, 2].map((visitor) => someScan({ organizationId, visitor })),
  )
  await until(() => ingest.stats.failures >= 2)
  assert.equal(ingest.stats.failing?.told.problem, 'ingestStoreSilent')
  isCatalogueAway = true
  await engine.start()
  await until(() => ingest.stats.failing?.told.problem === 'ingestFailing')
  isCatalogueAway = false
  await until(() => ingest.stats.scans === 3)
  assert.equal(ingest.stats.failing, undefined)
  assert.deepEqual(await countersOf(db), { qr_1: [3, 2] })
  await ingest.stop()
  await journal.close()
})

test('rows that the store lost come back although its connection fails now and then', async () => {
  const db = await openSqlite()
  const { organizationId, journalRoot } = newCase()
  await insertCode(db, organizationId, 'qr_1')
  const journal = openTestJournal(journalRoot, 'front-0')
  const scans = Array.from({ length: 30 }, (_, visitor) => someScan({ organizationId, visitor }))
  await record(journal, scans)
  const options = { journalRoot, db, rowsMax: 1 }
  const first = await startTestIngest({ ...options, store })
  await until(() => first.stats.rows === scans.length)
  await first.stop()
  await store.command(
    `delete from scans where organization_id = '${organizationId}'`,
    {},
    {
      settings: { lightweight_deletes_sync: '2' },
    },
  )
  let inserts = 0
  const flaky: ClickHouse = {
    ...storeCalls(store),
    async insert(...call) {
      // The request is lost, then the answer, then neither.
      const turn = inserts++ % 3
      if (turn > 0) await store.insert(...call)
      if (turn < 2) throw new ScanStoreUnavailable(new Error('the connection was lost'))
    },
  }
  const second = await startTestIngest({ ...options, store: flaky })
  await until(() => second.isChecked || second.stats.failures > 0)
  await second.stop()
  assert.deepEqual([second.stats.failures, second.stats.putBackHits], [0, scans.length])
  assert.deepEqual((await storedOf(store, organizationId)).codes, { qr_1: [scans.length, scans.length] })
})

test('ingested segments, which contain networks and user agents, are removed; their rows are kept for 72 hours', async () => {
  const db = await openSqlite()
  const { organizationId, journalRoot } = newCase()
  await insertCode(db, organizationId, 'qr_1')
  const journal = openTestJournal(journalRoot, 'front-0', 4000)
  for (let wave = 0; wave < 4; wave++) {
    await record(
      journal,
      Array.from({ length: 30 }, (_, n) => someScan({ organizationId, visitor: wave * 30 + n })),
    )
  }
  const segments = async () =>
    (await readdir(join(journalRoot, 'front-0'))).filter((name) => name.endsWith('.seg')).length
  const made = await segments()
  assert.ok(made >= 3, `${made} segments`)
  const removing = await startTestIngest({ journalRoot, db, store, retainMs: 0 })
  await until(() => removing.stats.segmentsRemoved === made - 1)
  await removing.stop()
  assert.equal(await segments(), 1)
  assert.deepEqual(await countersOf(db), { qr_1: [120, 120] })
  await journal.close()

  const keptRows = async () => {
    const places = await Array.fromAsync(new KeptRows(journalRoot).places())
    return places.reduce((sum, { rows }) => sum + rows, 0)
  }
  assert.equal(await keptRows(), 120)
  const [place] = await Array.fromAsync(new KeptRows(journalRoot).places())
  const bytes = await readRecord(place!)
  assert.ok(bytes.includes('Berlin') && !bytes.includes('203.0.113') && !bytes.includes('Mozilla'))
  const hours = (count: number) => new KeptRows(journalRoot, () => Date.now() + count * 3_600_000)
  assert.equal(await hours(71).remove({ olderThanMs: 72 * 3_600_000, bytesMax: Infinity }), 0)
  // The newest file remains: it records how far the store was fed.
  const db2 = await startTestIngest({ journalRoot, db, store })
  const again = openTestJournal(journalRoot, 'front-0')
  await record(again, [someScan({ organizationId, visitor: 1000 })])
  await until(() => db2.stats.rows === 1)
  await db2.stop()
  await again.close()
  assert.equal(await hours(73).remove({ olderThanMs: 72 * 3_600_000, bytesMax: Infinity }), 1)
  assert.equal(await keptRows(), 1)
})

test('a damaged range is skipped and counted, and does not block others', async () => {
  const db = await openSqlite()
  const { organizationId, journalRoot } = newCase()
  await insertCode(db, organizationId, 'qr_1')
  const journal = openTestJournal(journalRoot, 'front-0')
  await record(
    journal,
    Array.from({ length: 10 }, (_, visitor) => someScan({ organizationId, visitor })),
  )
  const path = join(journalRoot, 'front-0', '00000001.seg')
  const bytes = await readFile(path)
  bytes.fill(0xff, Math.floor(bytes.length / 2), Math.floor(bytes.length / 2) + 20)
  await writeFile(path, bytes)
  const ingest = await startTestIngest({ journalRoot, db, store })
  await until(() => ingest.stats.rows >= 8 && ingest.stats.damagedBytes > 0)
  await ingest.stop()
  const stored = await storedOf(store, organizationId)
  assert.equal(stored.rows, ingest.stats.rows)
  assert.deepEqual(await countersOf(db), stored.codes)
  await journal.close()
})

/** The real store, except for texts that it claims not to parse. */
function refusingStore(refuses: (text: string) => boolean): ClickHouse {
  return {
    ...storeCalls(store),
    async insert(table, columns, text, options) {
      if (refuses(Buffer.concat(text).toString()))
        throw new ClickHouseError({
          message: 'cannot parse',
          code: '27',
          type: 'CANNOT_PARSE_INPUT_ASSERTION_FAILED',
        })
      await store.insert(table, columns, text, options)
    },
  }
}

/** A geography whose lookup throws: only this makes a well-formed record poison. */
const poisonedGeography = {
  locate(network: string) {
    if (network === 'poison') throw new Error('poison')
    return { country: 'XX', city: 'Unknown', region: '', latitude: null, longitude: null }
  },
  reload: async () => [],
  problems: [],
}

type Around = (name: keyof IngestCalls, go: () => Promise<unknown>) => Promise<unknown>

/** Returns the real calls, each wrapped in a function. */
function wrapCalls(around: Around): IngestCalls {
  const wrapped = Object.entries(ingestCalls).map(([name, call]) => [
    name,
    (...args: unknown[]) =>
      around(name as keyof IngestCalls, () => (call as (...given: unknown[]) => Promise<unknown>)(...args)),
  ])
  return Object.fromEntries(wrapped) as IngestCalls
}
