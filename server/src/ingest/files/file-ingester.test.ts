import assert from 'node:assert/strict'
import { cpSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { pick, randomFrom, testSeed, type Random } from '@everscan/contract/testing/random.ts'
import { ParquetFiles, parquetPath } from '../../analytics/files/parquet/parquet-files.ts'
import { fileWrites } from '../../analytics/files/parquet/file-writes.ts'
import { rowsOfFiles } from '../../analytics/files/parquet/file-sql.ts'
import { ScanEngine } from '../../analytics/files/parquet/scan-engine.ts'
import { RecordFiles } from '../../analytics/files/records/record-files.ts'
import { RecordLog } from '../../analytics/insert/record-log.ts'
import type { Database } from '../../db/database.ts'
import { readInstallationNotes, updateInstallation } from '../../db/installation.ts'
import { readScanDays, setScanDays, type DayHits } from '../../db/scans/scan-days.ts'
import { readScanLosses } from '../../db/scans/scan-losses.ts'
import { readNetworkShare } from '../../db/scans/network-shares.ts'
import { listReservedCodes } from '../../db/scans/reserved-codes.ts'
import { insertCode } from '../../db/testing/codes.ts'
import { onEitherDatabase } from '../../db/testing/databases.ts'
import type { Journal } from '../../journal/journal.ts'
import { fileSystem } from '../../journal/journal-io.ts'
import { listSegments, segmentPath } from '../../journal/segments.ts'
import type { RawScan } from '../../journal/raw-scan.ts'
import type { Found } from '../ingest-context.ts'
import { countersOf, openTestJournal, record, someScan } from '../testing/ingest.ts'
import type { FileBatches } from './file-batches.ts'
import { segmentCatalogue } from './segment-catalogue.ts'
import { assertLost, startWorker, type Failing, type Machine } from './testing/file-worker.ts'
import { readerOfFigures } from './testing/killed-worker.ts'

const root = mkdtempSync(join(tmpdir(), 'everscan-file-ingester-'))
const engine = await ScanEngine.open({ folders: [root], spillTo: join(root, 'spill'), memory: '64MB' })
const organizationId = 'org_1'
const codes = ['qr_busy', 'qr_quiet', 'qr_few']
const firstSeed = testSeed()
const seeds = Array.from({ length: process.env['SOAK'] === '1' ? 100 : 2 }, (_, at) => firstSeed + at)
let cases = 0

/** `change` starts another worker, and stores a batch. */
type Leave = (batches: FileBatches, of: { folder: string; change: () => Promise<void> }) => Promise<void>
const waysToStop: Record<string, { leave: Leave; isRead: boolean }> = {
  'in order': { leave: (batches) => batches.close(), isRead: false },
  killed: { leave: async () => {}, isRead: true },
  'in order, and then killed after a change': {
    leave: async (batches, { change }) => {
      await batches.close()
      await change()
    },
    isRead: true,
  },
  'in order, a week after the files were read': {
    leave: async (batches, { folder }) => {
      await batches.close()
      const path = join(folder, 'closed.json')
      const mark = JSON.parse(readFileSync(path, 'utf8')) as { readAtMs: number }
      writeFileSync(path, JSON.stringify({ ...mark, readAtMs: mark.readAtMs - 7 * 86_400_000 }))
    },
    isRead: true,
  },
  'in order, of which this is a copy': {
    leave: async (batches, { folder }) => {
      await batches.close()
      renameSync(folder, `${folder}.before`)
      cpSync(`${folder}.before`, folder, { recursive: true, preserveTimestamps: true })
    },
    isRead: true,
  },
}

after(() => {
  engine.close()
  rmSync(root, { recursive: true })
})

onEitherDatabase('scans of journals in files', (open) => {
  for (const seed of seeds)
    test(`each is counted, marked and told once, despite kills (SEED=${seed})`, async () => {
      const random = randomFrom(seed)
      const db = await openWithCodes(open)
      await db.kysely
        .insertInto('event_readers')
        .values({ organization_id: organizationId, until_ms: Date.now() + 1e9 })
        .execute()
      const machine = newMachine()
      const journals = ['front-0', 'front-1'].map((name) => openTestJournal(machine.journalRoot, name))
      const failing: Failing = { isDue: () => random() < 0.15 }
      let worker = await startWorker(machine, { engine, db, failing })
      const scans: RawScan[] = []
      const killed: FileBatches[] = []
      const places = {
        segments: join(machine.folder, 'segments'),
        records: join(machine.journalRoot, 'scans'),
      }
      const figures = readerOfFigures(places, { engine, db, organizationId, codes })
      for (let step = 0; step < 40; step++) {
        const event = random()
        if (event < 0.1) assert.deepEqual(await figures(), await countersOf(db), `step ${step}`)
        else if (event < 0.4) scans.push(...(await recordSome(random, pick(random, journals))))
        else if (event < 0.8) await worker.pass(pick(random, journals))
        else if (event < 0.9) await mergeSome(random, { db, batches: worker.batches })
        else {
          // A killed worker leaves everything as it is; its files are closed at the end.
          if (random() < 0.5) await worker.batches.close()
          else killed.push(worker.batches)
          worker = await startWorker(machine, { engine, db, failing })
        }
      }
      failing.isDue = () => false
      for (const journal of journals) await worker.ingestAll(journal)
      const { rows, uniques } = await storedRows(machine, db)
      assert.equal(rows.length, scans.length)
      assert.equal(new Set(rows).size, scans.length, 'a scan is in the store twice')
      const people = scans.filter(({ userAgent }) => userAgent !== crawler)
      const expected = expectedOf(people)
      assert.deepEqual(uniques, Object.fromEntries(codes.map((code) => [code, expected[code]?.[1]])))
      assert.deepEqual(await countersOf(db), expected)
      assert.deepEqual(await figures(), expected)
      assert.deepEqual((await toldScans(db)).toSorted(), people.map(placeOf).toSorted())
      for (const journal of journals) await journal.close()
      for (const batches of [...killed, worker.batches]) await batches.close()
    })

  for (const lostCommit of [undefined, 1, 2])
    test(`an older catalogue gets counters and reserved codes from files ${lostCommit === undefined ? '' : `, though commit ${lostCommit} is lost`}`, async () => {
      const machine = newMachine()
      const newer = await openWithCodes(open)
      const journal = openTestJournal(machine.journalRoot, 'front-0')
      const worker = await startWorker(machine, { engine, db: newer })
      const scans = Array.from({ length: 30 }, (_, visitor) =>
        someScan({ organizationId, qrCodeId: codes[visitor % 3]!, shortCode: `C${visitor % 3}`, visitor }),
      )
      await record(journal, scans)
      await worker.ingestAll(journal)
      await journal.close()
      await worker.batches.close()
      // The older one has neither the scans nor the last code, and the journal is gone.
      rmSync(join(machine.journalRoot, 'front-0'), { recursive: true })
      const older = await open()
      for (const id of codes.slice(0, 2)) await insertCode(older, organizationId, id)
      const found: Found[] = []
      let commits = 0
      const failing = { isDue: () => commits++ === lostCommit }
      const next = await startWorker(machine, { engine, db: older, found, failing })
      // Without the last journal nothing else brings these scans back.
      for (let tries = 0; tries < 2; tries++) await next.compare().catch(assertLost)
      assert.deepEqual(await countersOf(older), { qr_busy: [10, 10], qr_quiet: [10, 10] })
      assert.deepEqual((await listReservedCodes(older, 10)).codes, ['C0', 'C1', 'C2'])
      assert.deepEqual(
        found.map(({ unknownHits, reserved }) => [unknownHits, reserved.length]),
        [[30, 3]],
      )
      await next.compare()
      assert.equal(found.length, 1, 'is told again')
      await next.batches.close()
    })

  for (const hasJournal of [true, false])
    test(`a file that is gone ${hasJournal ? 'is read from its journal again' : 'is lost, until it is back'}`, async () => {
      const machine = newMachine()
      const db = await openWithCodes(open)
      const journal = openTestJournal(machine.journalRoot, 'front-0')
      const worker = await startWorker(machine, { engine, db })
      const scans = Array.from({ length: 60 }, (_, visitor) =>
        someScan({
          organizationId,
          qrCodeId: pick(randomFrom(visitor), codes),
          visitor,
          timeMs: Date.UTC(2026, 2, 1 + (visitor % 3)),
          ...(visitor % 10 === 0 && { userAgent: crawler }),
        }),
      )
      await record(journal, scans)
      await worker.ingestAll(journal)
      const writer = journal.writerId ?? ''
      const dayOfMarch = Date.UTC(2026, 2, 1) / 86_400_000
      const ledger = [0, 1, 2].map((day) => ({ writer, day: dayOfMarch + day, hits: 20 }))
      assert.deepEqual(await daysIn(readScanDays(db)), ledger)
      const before = await countersOf(db)
      const { segments } = await segmentCatalogue(db).read()
      await worker.batches.merge(segments.map(({ id }) => id))
      await worker.batches.close()
      const records = join(machine.journalRoot, 'scans')
      rmSync(records, { recursive: true })
      const [merged] = (await segmentCatalogue(db).read()).segments
      const path = parquetPath(join(machine.folder, 'segments'), merged!)
      renameSync(path, `${path}.away`)
      if (!hasJournal) {
        await journal.close()
        rmSync(join(machine.journalRoot, 'front-0'), { recursive: true })
      }
      const found: Found[] = []
      const next = await startWorker(machine, { engine, db, found })
      await next.compare()
      await next.batches.close()
      if (hasJournal) {
        assert.deepEqual(await daysIn(readScanDays(db)), ledger)
        assert.deepEqual([await readScanLosses(db), await countersOf(db)], [[], before])
        const told = found.map(({ lost, organizations }) => ({ lost, of: organizations.lost }))
        assert.deepEqual(told, [{ lost: [], of: [] }])
        await journal.close()
        return
      }
      assert.deepEqual(await daysIn(readScanLosses(db)), ledger)
      assert.deepEqual(await readScanDays(db), [])
      const lost = ledger.map(({ day, hits }) => ({ day, hits }))
      const [first] = found
      assert.deepEqual(first?.lost, lost)
      assert.deepEqual(first?.organizations.lost, [{ organizationId, scans: 54 }])
      const [note] = await readInstallationNotes(db)
      assert.equal(note?.kind, 'scans-lost')
      renameSync(`${path}.away`, path)
      const last = await startWorker(machine, { engine, db, found })
      await last.compare()
      await last.batches.close()
      assert.deepEqual(await daysIn(readScanDays(db)), ledger)
      assert.deepEqual([await readScanLosses(db), await countersOf(db)], [[], before])
      assert.deepEqual(
        found.slice(1).map(({ unknownHits, putBackHits, organizations: { putBack } }) => ({
          unknownHits,
          putBackHits,
          putBack,
        })),
        [{ unknownHits: 0, putBackHits: 60, putBack: [{ organizationId, scans: 54 }] }],
      )
    })

  test('figures of an adopted store are set to what its files have', async () => {
    const machine = newMachine()
    const db = await openWithCodes(open)
    const journal = openTestJournal(machine.journalRoot, 'front-0')
    const worker = await startWorker(machine, { engine, db })
    const scans = Array.from({ length: 50 }, (_, visitor) =>
      someScan({ organizationId, qrCodeId: 'qr_busy', visitor: visitor % 30 }),
    )
    await record(journal, scans)
    await worker.ingestAll(journal)
    const ids = (await segmentCatalogue(db).read()).segments.map(({ id }) => id)
    await worker.batches.merge(ids.slice(0, 2))
    await worker.batches.close()
    const ledger = await readScanDays(db)
    const [day] = ledger
    await setScanDays(db, [
      { ...day!, hits: 45 },
      { writer: 'gone', day: day!.day, hits: 4 },
    ])
    await db.kysely.updateTable('scan_counters').set({ total_scans: 3, unique_scans: 1 }).execute()
    const start = async () => {
      const next = await startWorker(machine, { engine, db })
      await next.compare()
      await next.batches.close()
    }
    await start()
    assert.deepEqual((await countersOf(db))['qr_busy'], [3, 1], 'no file differs')

    // As `adopt scan-store` does.
    await updateInstallation(db, { scansCountedAtMs: null })
    await start()
    assert.deepEqual((await countersOf(db))['qr_busy'], [50, 30])
    assert.deepEqual(await readScanDays(db), ledger)
    assert.deepEqual(await readScanLosses(db), [{ writer: 'gone', day: day!.day, hits: 4 }])
    const { revision } = await segmentCatalogue(db).read()
    await start()
    assert.equal((await segmentCatalogue(db).read()).revision, revision, 'is counted again')
    await journal.close()
  })

  test('scans that a merged file has are not taken from their journal again', async () => {
    const machine = newMachine()
    const newer = await openWithCodes(open)
    const journal = openTestJournal(machine.journalRoot, 'front-0')
    const worker = await startWorker(machine, { engine, db: newer })
    const scans = Array.from({ length: 50 }, (_, visitor) =>
      someScan({ organizationId, qrCodeId: 'qr_busy', visitor: visitor % 30 }),
    )
    await record(journal, scans)
    await worker.ingestAll(journal)
    const { segments } = await segmentCatalogue(newer).read()
    assert.ok(segments.length > 1 && (await worker.batches.merge(segments.map(({ id }) => id))))
    await record(journal, [someScan({ organizationId, qrCodeId: 'qr_busy', visitor: 0 })])
    await worker.batches.close()

    const older = await openWithCodes(open)
    const next = await startWorker(machine, { engine, db: older })
    await next.ingestAll(journal)
    const { rows } = await storedRows(machine, older)
    assert.deepEqual([rows.length, new Set(rows).size], [51, 51])
    assert.deepEqual((await countersOf(older))['qr_busy'], [51, 30])
    await journal.close()
    await next.batches.close()
  })

  for (const [name, { leave, isRead }] of Object.entries(waysToStop))
    test(`after a stop, ${name}, the start ${isRead ? 'reads all files' : 'trusts the files'}`, async () => {
      const machine = newMachine()
      const db = await openWithCodes(open)
      const journal = openTestJournal(machine.journalRoot, 'front-0')
      const worker = await startWorker(machine, { engine, db })
      const scans = Array.from({ length: 50 }, (_, visitor) =>
        someScan({ organizationId, qrCodeId: 'qr_busy', visitor }),
      )
      await record(journal, scans)
      await worker.ingestAll(journal)
      const { segments } = await segmentCatalogue(db).read()
      await worker.batches.merge(segments.map(({ id }) => id))
      const killed = [worker.batches]
      await leave(worker.batches, {
        folder: join(machine.folder, 'segments'),
        change: async () => {
          const another = await startWorker(machine, { engine, db })
          killed.push(another.batches)
          await record(journal, [someScan({ organizationId, qrCodeId: 'qr_busy', visitor: 0 })])
          await another.ingestAll(journal)
        },
      })
      const merged = (await segmentCatalogue(db).read()).segments.find(({ level }) => level > 0)
      const path = parquetPath(join(machine.folder, 'segments'), merged!)
      const bytes = readFileSync(path)
      bytes[bytes.length >> 1] = bytes[bytes.length >> 1]! ^ 1
      writeFileSync(path, bytes)
      const next = await startWorker(machine, { engine, db })
      await next.ingestAll(journal)
      const { segments: found } = await segmentCatalogue(db).read()
      assert.equal(!found.some(({ id }) => id === merged?.id), isRead)
      await journal.close()
      for (const batches of [...killed, next.batches]) await batches.close()
    })

  test('a journal without its beginning says only what it had, and which networks', async () => {
    const machine = newMachine()
    const db = await openWithCodes(open)
    const journal = openTestJournal(machine.journalRoot, 'front-0', 4_000)
    const scans = Array.from({ length: 300 }, (_, visitor) =>
      someScan({ organizationId, qrCodeId: 'qr_busy', visitor }),
    )
    for (let at = 0; at < scans.length; at += 10) await record(journal, scans.slice(at, at + 10))
    const dir = join(machine.journalRoot, 'front-0')
    const segments = listSegments(fileSystem, dir)
    assert.ok(segments.length > 2)
    rmSync(segmentPath(dir, segments[0]!))
    const worker = await startWorker(machine, { engine, db })
    await worker.ingestAll(journal)
    const [first] = (await segmentCatalogue(db).read()).segments
    const { rows } = await storedRows(machine, db)
    assert.ok(rows.length < scans.length)
    assert.deepEqual(first?.stretches[0]?.from, scans.length - rows.length)
    assert.deepEqual(await readNetworkShare(db, Date.now()), { scans: rows.length, largest: rows.length })
    await journal.close()
    await worker.batches.close()
  })

  test('codes that the catalogue does not know are reserved with their first batch', async () => {
    const machine = newMachine()
    const db = await openWithCodes(open)
    const journal = openTestJournal(machine.journalRoot, 'front-0')
    const worker = await startWorker(machine, { engine, db })
    const reserved: string[][] = []
    for (const scan of [
      { qrCodeId: 'qr_busy', shortCode: 'QR_BUSY' },
      { qrCodeId: 'qr_lost', shortCode: 'LOST' },
      { qrCodeId: 'qr_seen', shortCode: 'SEEN', userAgent: crawler },
    ]) {
      await record(journal, [someScan({ organizationId, ...scan })])
      await worker.ingestAll(journal)
      reserved.push((await listReservedCodes(db, 10)).codes.toSorted())
    }
    assert.deepEqual(reserved, [[], ['LOST'], ['LOST', 'SEEN']])
    await journal.close()
    await worker.batches.close()
  })
})

const crawler = 'curl/8.5.0'

function newMachine(): Machine {
  const folder = join(root, String(cases++))
  return { folder, journalRoot: join(folder, 'journal') }
}

async function openWithCodes(open: () => Promise<Database>): Promise<Database> {
  const db = await open()
  for (const id of codes) await insertCode(db, organizationId, id)
  return db
}

async function daysIn(rows: Promise<DayHits[]>): Promise<DayHits[]> {
  return (await rows).toSorted((one, other) => one.day - other.day)
}

/** Records scans of people who come again, and of a program, each at a time of its own. */
async function recordSome(random: Random, journal: Journal): Promise<RawScan[]> {
  const scans = Array.from({ length: 1 + Math.floor(random() * 50) }, () =>
    someScan({
      organizationId,
      qrCodeId: pick(random, codes),
      visitor: Math.floor(random() * 60),
      timeMs: pick(random, [Date.UTC(2026, 1, 27), Date.UTC(2026, 2, 2)]) + clockMs++,
      ...(random() < 0.1 && { userAgent: crawler }),
    }),
  )
  await record(journal, scans)
  return scans
}

let clockMs = 0

async function mergeSome(random: Random, { db, batches }: { db: Database; batches: FileBatches }) {
  const { segments } = await segmentCatalogue(db).read()
  const [month, kind] = [pick(random, [202602, 202603]), pick(random, [0, 1])]
  const ids = segments
    .filter(({ stretches, level }) => stretches[0]?.month === month && Math.min(level, 1) === kind)
    .map(({ id }) => id)
  if (ids.length < 2 || !batches.isReady) return
  await batches.merge(ids).catch(assertLost)
}

function placeOf({ qrCodeId, timeMs }: { qrCodeId: string; timeMs: number }): string {
  return `${qrCodeId} ${timeMs}`
}

/** Returns the scans and visitors of each code. */
function expectedOf(people: readonly RawScan[]): Record<string, [number, number]> {
  const ofCode = (code: string) => people.filter(({ qrCodeId }) => qrCodeId === code)
  return Object.fromEntries(
    codes.map((code): [string, [number, number]] => [
      code,
      [ofCode(code).length, new Set(ofCode(code).map(({ visitor }) => visitor)).size],
    ]),
  )
}

/** Returns the names of the hits in listed files, and the number of unique ones of each code. */
async function storedRows({ journalRoot, folder }: Machine, db: Database) {
  const parquet = await ParquetFiles.open({ folder: join(folder, 'segments'), engine: fileWrites(engine) })
  const records = new RecordFiles(new RecordLog(join(journalRoot, 'scans')))
  await records.list()
  await parquet.list()
  const rows: string[] = []
  const uniques: Record<string, number> = {}
  const add = (writer: unknown, sequence: unknown, code: unknown, isUnique: unknown): void => {
    rows.push(`${String(writer)} ${String(sequence)}`)
    const name = String(code)
    uniques[name] = (uniques[name] ?? 0) + Number(isUnique)
  }
  for (const { id } of (await segmentCatalogue(db).read()).segments)
    if (records.has(id)) {
      const { texts, sequence, isUnique, rows: count } = await records.read(id)
      for (let row = 0; row < count; row++)
        add(texts.writer.valueOf(row), sequence[row], texts.qrCodeId.valueOf(row), isUnique[row])
    } else
      for (const [writer, sequence, code, isUnique] of await engine.files.rows(
        `select writer::varchar, sequence, qr_code_id::varchar, is_unique::int
         from ${rowsOfFiles(parquet.pathsOf([id]))}`,
      ))
        add(writer, sequence, code, isUnique)
  await records.close()
  return { rows, uniques }
}

/** Returns the scans that events tell of. */
async function toldScans(db: Database): Promise<string[]> {
  const pages = await db.kysely.selectFrom('event_pages').select('events').execute()
  return pages.flatMap(({ events }) =>
    (JSON.parse(events) as { qrCodeId: string; atMs: number }[]).map(({ qrCodeId, atMs: timeMs }) =>
      placeOf({ qrCodeId, timeMs }),
    ),
  )
}
