import assert from 'node:assert/strict'
import {
  copyFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileReads } from '../../analytics/files/file-scans.ts'
import { ListedFiles } from '../../analytics/files/listed-files.ts'
import type { ScanSegment } from '../../analytics/files/manifest.ts'
import { fileWrites } from '../../analytics/files/parquet/file-writes.ts'
import { rowsOfFiles } from '../../analytics/files/parquet/file-sql.ts'
import { parquetPath } from '../../analytics/files/parquet/parquet-files.ts'
import { ScanEngine } from '../../analytics/files/parquet/scan-engine.ts'
import { RecordReader } from '../../analytics/files/records/record-reader.ts'
import { RecordLog } from '../../analytics/insert/record-log.ts'
import type { Database } from '../../db/database.ts'
import { updateInstallation } from '../../db/installation.ts'
import { readScanDays, setScanDays } from '../../db/scans/scan-days.ts'
import { insertCode } from '../../db/testing/codes.ts'
import { forEachDatabase } from '../../db/testing/databases.ts'
import { listedSegments, readListed } from '../../ingest/files/segment-catalogue.ts'
import { startWorker } from '../../ingest/files/testing/file-worker.ts'
import { openTestJournal, record, someScan } from '../../ingest/testing/ingest.ts'
import { writeFilesIdentity } from '../../analytics/files/folder-claim.ts'
import { scanFilePlaces, type ScanFilePlaces } from '../../settings/scan-file-places.ts'
import type { DoctorContext } from '../context.ts'
import { figureChecks } from '../figure-checks.ts'
import { runChecks } from '../run-checks.ts'
import { judgeMerges } from './scan-file-checks.ts'
import { storeChecks } from '../store-checks.ts'
import { contextFor, findingOf, textOf } from '../testing/doctor.ts'

const root = mkdtempSync(join(tmpdir(), 'everscan-doctor-files-'))
const engine = await ScanEngine.open({ folders: [root], spillTo: join(root, 'spill'), memory: '64MB' })
after(() => {
  engine.close()
  rmSync(root, { recursive: true })
})

const organizationId = 'org_1'
const kept = 'kept records have all of these hits'
const putBack = 'stop the service, put these files back from a copy of DATA_DIR'

type Installation = {
  db: Database
  places: ScanFilePlaces
  context: DoctorContext
  /** The file of Parquet, with 40 hits. */
  merged: ScanSegment
  path: string
  /** The record, with 20. */
  waiting: ScanSegment
}

/** Makes an installation with a merged file, whose records were kept, and a record of its own. */
async function installationOn(db: Database): Promise<Installation> {
  const dataDir = mkdtempSync(join(root, 'data-'))
  const places = scanFilePlaces({ dataDir })
  for (const id of ['qr_1', 'qr_2']) await insertCode(db, organizationId, id)
  const journalRoot = join(dataDir, 'journal')
  const journal = openTestJournal(journalRoot, 'front-0')
  const worker = await startWorker({ journalRoot, folder: places.folder }, { engine, db })
  const scans = Array.from({ length: 60 }, (_, visitor) =>
    someScan({ organizationId, qrCodeId: `qr_${1 + (visitor % 2)}`, visitor: visitor % 25 }),
  )
  await record(journal, scans)
  await worker.ingestAll(journal)
  const ids = (await readListed(db)).segments.map(({ id }) => id)
  assert.equal(ids.length, 3)
  await worker.batches.merge(ids.slice(0, 2))
  await worker.batches.close()
  await journal.close()
  const { segments } = await readListed(db)
  const [merged, waiting] = [1, 0].map((level) => segments.find((one) => one.level === level))
  assert.ok(merged !== undefined && waiting !== undefined)
  const given = { catalogue: async () => db, engine: async () => openEngine(db, places) }
  const context = contextFor({ DATA_DIR: dataDir }, given)
  return { db, places, context, merged, waiting, path: parquetPath(places.segments, merged) }
}

/** Has an engine without the files that it knew before. */
function openEngine(db: Database, places: ScanFilePlaces) {
  const listed = new ListedFiles({
    engine,
    folder: places.segments,
    records: new RecordReader(new RecordLog(places.records)),
    readManifest: listedSegments(db),
  })
  const { ask } = fileReads({ engine, readListed: () => listed.read() })
  return { ask, rows: fileWrites(engine).rows }
}

function flipByte(path: string): void {
  const bytes = readFileSync(path)
  bytes[bytes.length >> 1] = bytes[bytes.length >> 1]! ^ 1
  writeFileSync(path, bytes)
}

function recordFile({ records }: ScanFilePlaces): string {
  const names = readdirSync(records).filter((name) => name.endsWith('.rows'))
  assert.equal(names.length, 1)
  return join(records, names[0]!)
}

/** Each kind of damage, and what the checks of files then say. */
const damages: Record<
  string,
  { damage: (of: Installation) => void | Promise<void>; scans: (of: Installation) => string }
> = {
  'a missing file': {
    damage: ({ path }) => rmSync(path),
    scans: ({ path }) =>
      `warning: 1 of 2 files and records are missing or damaged, with 40 hits: ${path} (missing, 40 hits); ${kept} -> restart`,
  },
  'a damaged byte in the middle of a file': {
    damage: ({ path }) => flipByte(path),
    scans: ({ path }) =>
      `warning: 1 of 2 files and records are missing or damaged, with 40 hits: ${path} (damaged, 40 hits); ${kept} -> restart`,
  },
  'a truncated file': {
    damage: ({ path }) => truncateSync(path, 200),
    scans: ({ path }) =>
      `warning: 1 of 2 files and records are missing or damaged, with 40 hits: ${path} (damaged, 40 hits); ${kept} -> restart`,
  },
  'a missing file of records': {
    damage: ({ places }) => rmSync(recordFile(places)),
    scans: ({ waiting }) =>
      `failed: 1 of 2 files and records are missing or damaged, with 20 hits: record ${waiting.id} (missing, 20 hits) -> ${putBack}`,
  },
  'a damaged record': {
    damage: ({ places }) => {
      const path = recordFile(places)
      const bytes = readFileSync(path)
      bytes[bytes.length - 3] = bytes[bytes.length - 3]! ^ 1
      writeFileSync(path, bytes)
    },
    scans: ({ places }) =>
      `failed: 1 of 2 files and records are missing or damaged, with 20 hits: ${recordFile(places)} (damaged, 20 hits) -> ${putBack}`,
  },
  'a missing file without kept records': {
    damage: ({ path, places }) => {
      rmSync(path)
      rmSync(recordFile(places))
    },
    scans: ({ path, waiting }) =>
      `failed: 2 of 2 files and records are missing or damaged, with 60 hits: ${path} (missing, 40 hits), record ${waiting.id} (missing, 20 hits) -> ${putBack}`,
  },
}

forEachDatabase('checks of scans in files', (open) => {
  test('nothing is wrong with an installation as a worker leaves it', async () => {
    const { context } = await installationOn(await open())
    const results = await runChecks(context, [storeChecks, figureChecks], { fix: false })
    for (const { name, finding } of results) assert.equal(finding.state, 'ok', `${name}: ${finding.says}`)
    const says = new Map(results.map(({ name, finding }) => [name, finding.says]))
    assert.equal(says.get('store.scans'), 'all 2 files and records are as they were written')
    assert.match(
      says.get('store.unlisted-files') ?? '',
      /^2 files and records \(.*\) whose scans others have: files go after an hour, records after three days$/,
    )
    assert.match(says.get('store.parts') ?? '', /^60 hits in .*, 1 file; 1 record with 20 hits wait for/)
    assert.equal(says.get('figures.counters'), 'all 2 codes with scans agree with the scan store')
    assert.equal(says.get('store.mutations'), 'none: scans are in files')
  })

  for (const [name, { damage, scans }] of Object.entries(damages))
    test(`${name} is named`, async () => {
      const installation = await installationOn(await open())
      const expected = scans(installation)
      await damage(installation)
      const text = textOf(await findingOf('store.scans', installation.context))
      assert.ok(text.startsWith(expected), text)
    })

  test('a folder without any of its files is told as one that is not mounted', async () => {
    const { context, places } = await installationOn(await open())
    const told = async () =>
      (await findingOf('store.folder', context)).problems?.map(({ problem }) => problem)
    const away = `${places.records}.away`
    renameSync(places.records, away)
    assert.deepEqual(await told(), ['scanStoreEmpty'])
    renameSync(away, places.records)
    rmSync(places.segments, { recursive: true })
    assert.deepEqual(await told(), ['scanStoreEmpty'])
    await writeFilesIdentity(places, { installation: 'ins_1', store: 'files:1' })
    assert.equal(await told(), undefined, 'it is the right one')
  })

  test('of files that nobody lists, it is told whether they will count', async () => {
    const { db, context, path, merged, places } = await installationOn(await open())
    const damaged = join(places.segments, 'seg_other-00000000.parquet')
    copyFileSync(path, damaged)
    const of = async () => textOf(await findingOf('store.unlisted-files', context))
    assert.equal(
      await of(),
      `notice: 1 file is damaged and counted nowhere: ${damaged} -> put good ones in their place, if a copy has them; else move them away`,
    )
    rmSync(damaged)
    await db.kysely.deleteFrom('scan_segments').where('id', '=', merged.id).execute()
    const text = await of()
    assert.ok(text.startsWith('warning: 3 files have scans that no listed file has: '), text)
    assert.ok(text.includes(`${path} (40 hits)`), text)
  })

  test('figures that differ from the files are named, with the way to set them right', async () => {
    const { db, context, path } = await installationOn(await open())
    const of = async (name: string) => textOf(await findingOf(name, context))
    const adopt = '-> ./everscan adopt scan-store, and restart the service'
    const [day] = await readScanDays(db)
    assert.ok(day !== undefined)
    await setScanDays(db, [{ ...day, hits: 57 }])
    const ledger = await of('figures.ledger')
    assert.ok(ledger.startsWith('warning: they differ on 1 day: 2026-03-01: 60 in the store, 57 in'), ledger)
    assert.ok(ledger.includes(adopt), ledger)
    await updateInstallation(db, { scansCountedAtMs: null })
    assert.equal((await findingOf('figures.ledger', context)).state, 'unknown')

    await db.kysely
      .updateTable('scan_counters')
      .set({ unique_scans: 9 })
      .where('qr_code_id', '=', 'qr_2')
      .execute()
    const counters = await of('figures.counters')
    assert.ok(
      counters.startsWith(
        'warning: 1 of all 2 codes with scans differ: qr_2 counts 30 (9 unique), the store 30 (25)',
      ),
      counters,
    )
    assert.ok(counters.includes(adopt), counters)

    const copy = `${path}.before`
    copyFileSync(path, copy)
    const unmarked = `select * replace (false as is_unique) from ${rowsOfFiles([copy])}`
    await fileWrites(engine).change(`copy (${unmarked}) to '${path}' (format parquet)`)
    const marks = await of('figures.first-scans')
    assert.ok(marks.startsWith('warning: first scans are not the earliest of their scans: qr_1 ('), marks)
    rmSync(path)
    assert.equal(
      await of('figures.counters'),
      'unknown: the engine cannot read the files of scans -> see what "Files of scans" says, and the log of engine',
    )
  })

  test('an index of first visits that is damaged is no loss', async () => {
    const { context, places } = await installationOn(await open())
    const path = join(places.visits, 'state.json')
    writeFileSync(path, readFileSync(path, 'utf8').slice(1))
    const of = async () => textOf(await findingOf('store.first-visits', context))
    assert.match(await of(), /^notice: it is damaged: no scan is lost by that -> nothing/)
    rmSync(path)
    assert.match(await of(), /^ok: not written yet/)
  })
})

function recordsOf(count: number, rows: number): ScanSegment[] {
  return Array.from({ length: count }, (_, at) => ({
    id: `seg_${at}`,
    level: 0,
    rows,
    bytes: 100,
    checksum: 1,
    fromMs: 1,
    toMs: 2,
    stretches: [{ month: 202603, writer: 'w', from: at * rows, to: (at + 1) * rows }],
  }))
}

test('records that merges do not keep up with are told', () => {
  assert.equal(judgeMerges(recordsOf(1_000, 500)).state, 'ok')
  for (const segments of [recordsOf(1_001, 1), recordsOf(10, 50_001)])
    assert.match(
      textOf(judgeMerges(segments)),
      /^warning: .*: merges do not keep up.* -> see the log of worker/,
    )
})
