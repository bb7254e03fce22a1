import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { ClickHouse } from '../analytics/store/clickhouse.ts'
import { storeCalls } from '../analytics/testing/store-calls.ts'
import { readNetworkShare } from '../db/scans/network-shares.ts'
import { readScanDays } from '../db/scans/scan-days.ts'
import { forEachDatabase } from '../db/testing/databases.ts'
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
import { scanHints } from '../journal/raw-scan.ts'
import { insertCode } from '../db/testing/codes.ts'

const { newCase, remove, store } = await startIngestSuite()
after(remove)

forEachDatabase('ingest', (open) => {
  test('stores only the share of the most frequent network, from 200 scans on, without bots', async () => {
    const db = await open()
    const { organizationId, journalRoot } = newCase()
    const journal = openTestJournal(journalRoot, 'front-0')
    const ingest = await startTestIngest({ journalRoot, db, store })
    const scans = (count: number, network: string, more: object = {}) =>
      Array.from({ length: count }, (_, visitor) =>
        someScan({ organizationId, visitor: visitor % 250, network, ...more }),
      )
    await record(journal, scans(199, '203.0.113.0'))
    await until(() => ingest.stats.scans === 199)
    assert.equal(await readNetworkShare(db, Date.now()), undefined)
    await record(journal, [
      ...scans(1, '198.51.100.0'),
      ...scans(300, '192.0.2.0', { userAgent: 'curl/8.5.0' }),
    ])
    await until(() => ingest.stats.rows === 500)
    assert.deepEqual(await readNetworkShare(db, Date.now()), { scans: 200, largest: 199 })
    await record(journal, scans(900, '198.51.100.0'))
    await until(() => ingest.stats.scans === 1_100)
    assert.deepEqual(await readNetworkShare(db, Date.now()), { scans: 1_000, largest: 901 })
    assert.doesNotMatch(
      JSON.stringify(await db.kysely.selectFrom('network_shares').selectAll().execute()),
      /203\.0|198\.51/,
    )
    await ingest.stop()
    await journal.close()
  })

  test('PUBLIC_URL is reached by a scan of it from outside: no private network, other host or bot', async () => {
    const db = await open()
    const { organizationId, journalRoot } = newCase()
    const journal = openTestJournal(journalRoot, 'front-0')
    const ingest = await startTestIngest({ journalRoot, db, store })
    const network = '93.184.216.0'
    const scan = (more: object) =>
      someScan({ organizationId, visitor: 1, timeMs: Date.now(), network, ...more })
    const elsewhere = [
      scan({ network: '192.168.7.0' }),
      scan({ hints: scanHints.otherHost }),
      scan({ userAgent: 'curl/8.5.0' }),
      scan({ timeMs: Date.now() - 3_600_000 }),
    ]
    await record(journal, elsewhere)
    await until(() => ingest.stats.rows === elsewhere.length)
    assert.equal(ingest.stats.outsideAtMs, undefined)
    const reached = scan({})
    await record(journal, [...elsewhere, reached])
    await until(() => ingest.stats.outsideAtMs === reached.timeMs)
    await ingest.stop()
    await journal.close()
  })

  test('scans of a journal become rows and counters; bots are stored but not counted', async () => {
    const db = await open()
    const { organizationId, journalRoot } = newCase()
    await insertCode(db, organizationId, 'qr_1')
    const journal = openTestJournal(journalRoot, 'front-0')
    const ingest = await startTestIngest({ journalRoot, db, store })
    const scans = [
      someScan({ organizationId, visitor: 1 }),
      someScan({ organizationId, visitor: 1 }),
      someScan({ organizationId, visitor: 2, network: '' }),
      someScan({ organizationId, visitor: 3, userAgent: 'curl/8.5.0' }),
      someScan({ organizationId, visitor: 4, hints: 1 }),
      someScan({ organizationId, visitor: 5, timeMs: 0 }),
      someScan({ organizationId, qrCodeId: 'qr_deleted', visitor: 1 }),
    ]
    await record(journal, scans)
    await until(() => ingest.stats.rows === 6)
    assert.deepEqual(await countersOf(db), { qr_1: [3, 2] })
    assert.deepEqual((await storedOf(store, organizationId)).codes, { qr_1: [3, 2], qr_deleted: [1, 1] })
    assert.equal(ingest.stats.dropped.time, 1)
    const [row] = await store.select(
      `select country, city, region, round(latitude, 1) as latitude, device_type, os, browser, referrer, language, toString(class) as class
       from scans where organization_id = {organizationId:String} and country = 'DE' limit 1`,
      { organizationId },
    )
    assert.deepEqual(row, {
      country: 'DE',
      city: 'Berlin',
      region: 'Berlin',
      latitude: 52.5,
      device_type: 'mobile',
      os: 'iOS',
      browser: 'Safari',
      referrer: '',
      language: 'de-DE',
      class: 'human',
    })

    // A second writer appears while the worker runs.
    const second = openTestJournal(journalRoot, 'front-1')
    await record(second, [someScan({ organizationId, visitor: 2 }), someScan({ organizationId, visitor: 9 })])
    await until(() => ingest.stats.rows === 8)
    assert.deepEqual(await countersOf(db), { qr_1: [5, 3] })
    await ingest.stop()
    await Promise.all([journal.close(), second.close()])
  })

  test('a stretch across the end of a month becomes a batch for each run of one month', async () => {
    const db = await open()
    const { organizationId, journalRoot } = newCase()
    await insertCode(db, organizationId, 'qr_1')
    const journal = openTestJournal(journalRoot, 'front-0')
    const midnight = Date.UTC(2026, 3, 1)
    const offsets = [-3, -2, -1, 0, 1, -1, 2]
    await record(
      journal,
      offsets.map((offset, visitor) => someScan({ organizationId, visitor, timeMs: midnight + offset })),
    )
    const ingest = await startTestIngest({ journalRoot, db, store })
    await until(() => ingest.stats.rows === offsets.length)
    assert.equal(ingest.stats.batches, 4)
    assert.deepEqual(await countersOf(db), { qr_1: [7, 7] })
    await ingest.stop()
    await journal.close()
  })

  test('counts for the first time on one machine: another one counts nothing that it is about to count', async () => {
    const db = await open()
    const [{ organizationId, journalRoot }, other] = [newCase(), newCase()]
    await insertCode(db, organizationId, 'qr_1')
    const inserted = Promise.withResolvers<void>()
    const isCounted = Promise.withResolvers<void>()

    // One counts for the first time while the other, which has done so, is about to commit.
    const late: ClickHouse = {
      ...storeCalls(store),
      select: async (query, ...rest) => {
        if (query.includes('analytics.storedDays')) await inserted.promise
        return store.select(query, ...rest)
      },
    }
    const counting = await startTestIngest({
      db,
      store: late,
      journalRoot: other.journalRoot,
      isAlone: false,
    })
    const calls: IngestCalls = {
      ...ingestCalls,
      commitBatch: async (...args) => {
        inserted.resolve()
        await isCounted.promise
        return ingestCalls.commitBatch(...args)
      },
    }
    const ingest = await startTestIngest({ db, store, journalRoot, calls, isAlone: false })
    await until(() => ingest.isChecked)
    const journal = openTestJournal(journalRoot, 'front-0')
    await record(
      journal,
      Array.from({ length: 5 }, (_, visitor) => someScan({ organizationId, visitor })),
    )
    await until(() => counting.isChecked)
    isCounted.resolve()
    await until(() => ingest.stats.scans === 5)
    await Promise.all([ingest.stop(), counting.stop()])
    await journal.close()

    const own = (await readScanDays(db)).filter(({ writer }) => writer === journal.writerId)
    assert.deepEqual(
      own.map(({ hits }) => hits),
      [5],
    )
  })
})
