// A copy of scans in files has every file and record that the catalogue listed, or says what it
// lacks. What is restored from it is what was copied.
import { DuckDBInstance } from '@duckdb/node-api'
import { sql } from 'kysely'
import assert from 'node:assert/strict'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { partBytesMax, partsOf } from '../analytics/copies/files-in-copies.ts'
import { PlacedFiles } from '../analytics/copies/placed-files.ts'
import { startTestStore } from '../analytics/testing/store.ts'
import { readFilesIdentity, writeFilesIdentity } from '../analytics/files/folder-claim.ts'
import type { Database } from '../db/database.ts'
import { readInstallation } from '../db/installation.ts'
import { FatalError } from '../errors.ts'
import { readScanDays } from '../db/scans/scan-days.ts'
import { readScanLosses } from '../db/scans/scan-losses.ts'
import { onEitherDatabase, silentLog } from '../db/testing/databases.ts'
import { segmentCatalogue } from '../ingest/files/segment-catalogue.ts'
import { countersOf } from '../ingest/testing/ingest.ts'
import { scanFilePlaces } from '../settings/scan-file-places.ts'
import { readCopyEntries } from './copy-file-reader.ts'
import { lackingTexts } from './lacking.ts'
import { makeCopy } from './make-copy.ts'
import { readMeta } from './read-meta.ts'
import type { Restored } from './restore-copy.ts'
import { clickHouseFor } from './stores/clickhouse-copies.ts'
import { copiedFiles, withRestoredFiles } from './stores/file-copies.ts'
import {
  copyTo,
  copyWithout,
  elsewhere,
  manifestOf,
  restoreFrom,
  sum,
  verify,
  type CopyPlace,
} from './testing/copied-scans.ts'
import { columnsOfBoth, filled, openBatches, rowsInClickHouse, rowsOf } from './testing/file-installation.ts'

const folder = mkdtempSync(join(tmpdir(), 'everscan-copied-files-'))
after(() => {
  rmSync(folder, { recursive: true })
})
const { store: clickHouse, remove: removeStore } = await startTestStore()
after(removeStore)
let copies = 0

onEitherDatabase('a copy of scans in files', (open) => {
  test('has files and records, restored on the other catalogue row by row, mark by mark', async () => {
    const db = await open()
    const place = await filled(db, folder)
    const path = await copied(db, place)
    const manifest = await manifestOf(path)
    assert.deepEqual([manifest.scans, manifest.lacking, manifest.held?.hits], [100, [], 100])
    const entries = await namesIn(path)
    assert.ok(entries.some((name) => name.startsWith(partsOf.files)))
    assert.ok(entries.some((name) => name.startsWith(partsOf.records)))
    const { lacking, scans, there, db: other } = await restored(path, await elsewhere(db))
    assert.deepEqual([lacking, scans], [[], 100])
    assert.deepEqual(await rowsOf(other, there), await rowsOf(db, place))
    assert.deepEqual(await countersOf(other), await countersOf(db))
    assert.deepEqual(await daysIn(other), await daysIn(db))
    assert.deepEqual(
      (await segmentCatalogue(other).read()).segments,
      (await segmentCatalogue(db).read()).segments,
    )
    await assertRecovered(other, there, { lost: 0 })
    await other.close()
    const verified = await verify(path)
    assert.deepEqual([verified.differences, verified.lacks], [[], []])
  })

  test('is read without the service as docs/scans-as-parquet.md says', async () => {
    const db = await open()
    const { dataDir } = await filled(db, folder)
    const document = readFileSync(join(import.meta.dirname, '../../../docs/scans-as-parquet.md'), 'utf8')
    const statements = [...document.matchAll(/^```sql\n([^`]+)^```/gm)].map(([, text = '']) => text)
    const [listed = '', figures = ''] = statements
    const { rows: ids } = await sql.raw<{ id: string }>(listed).execute(db.kysely)
    const { segments } = await segmentCatalogue(db).read()
    const inFiles = segments.filter(({ level }) => level > 0)
    assert.deepEqual(ids.map(({ id }) => id).toSorted(), inFiles.map(({ id }) => id).toSorted())
    const paths = ids.map(({ id }) => `'${join(dataDir, 'scan-files', 'segments', '*', `${id}-*.parquet`)}'`)
    const duckDb = await DuckDBInstance.create()
    const connection = await duckDb.connect()
    const result = await connection.runAndReadAll(
      figures.replace("'scan-files/segments/*/*.parquet'", `[${paths.join(', ')}]`),
    )
    const scans = result.getRowObjectsJson().map((row) => ({ hits: Number(row['scans']) }))
    connection.closeSync()
    duckDb.closeSync()
    assert.ok(scans.length > 0)
    assert.equal(sum(scans), sum(inFiles.map(({ rows }) => ({ hits: rows }))))
  })

  test('has them restored into ClickHouse, row by row', async () => {
    const db = await open()
    const place = await filled(db, folder)
    const path = await copied(db, place)
    for (const table of ['scans', 'first_scans']) await clickHouse.command(`truncate table ${table}`)
    const dataDir = mkdtempSync(join(folder, 'restored-'))
    const meta = await readMeta(path, undefined)
    const store = await clickHouseFor(meta, clickHouse, { dataDir })
    const found = await restoreFrom(path, { databaseUrl: await elsewhere(db), dataDir, store })
    assert.deepEqual([found.lacking, found.scans], [[], 100])
    assert.deepEqual(await rowsInClickHouse(clickHouse), await rowsOf(db, place, columnsOfBoth))
    assert.deepEqual(await countersOf(found.db), await countersOf(db))
    assert.deepEqual((await segmentCatalogue(found.db).read()).segments, [])
    await found.db.close()
  })

  test('has them although the service has removed the files meanwhile', async () => {
    const db = await open()
    const place = await filled(db, folder)
    const path = join(folder, `${++copies}.copy`)
    let removed = 0
    await makeCopy(
      {
        config: place,
        store: copiedFiles(place, db),
        secret: undefined,
        visitorKey: undefined,
        log: silentLog,
      },
      {
        path,
        passphrase: undefined,
        release: '0.1.0',
        nowMs: 0,
        others: { missing: [], silent: [] },
        progress: ({ doing }) => {
          if (doing !== 'scans') return
          for (const file of filesOf(place)) removed += Number(rmSync(file) === undefined)
        },
      },
    )
    assert.ok(removed > 0)
    assert.equal((await manifestOf(path)).scans, 100)
    assert.deepEqual((await verify(path)).differences, [])
    assert.deepEqual(readdirSync(join(scanFilePlaces(place).folder, 'held')), [])
  })

  test('is not made of the files of another installation', async () => {
    const db = await open()
    const place = await filled(db, folder)
    const store = copiedFiles(place, db)
    await store.requireOwn(db)
    await writeFilesIdentity(scanFilePlaces(place), { installation: 'ins_other', store: 'files:one' })
    await assert.rejects(store.requireOwn(db), FatalError)
    rmSync(scanFilePlaces(place).segments, { recursive: true })
    await assert.rejects(store.requireOwn(db), FatalError)
  })

  test('removes what a killed copy has left, but not what another one holds', async () => {
    const db = await open()
    const place = await filled(db, folder)
    const held = join(scanFilePlaces(place).folder, 'held')
    for (const name of ['copy-old', 'copy-new']) mkdirSync(join(held, name), { recursive: true })
    utimesSync(join(held, 'copy-old'), 0, 0)
    await copied(db, place)
    assert.deepEqual(readdirSync(held), ['copy-new'])
  })

  test('is made of parts that an entry can hold, and of files larger than one', async () => {
    const db = await open()
    const place = await filled(db, folder)
    const { segments } = scanFilePlaces(place)
    const there = new PlacedFiles({ segments: join(folder, `${++copies}`), records: segments })
    const name = 'files/202603/seg_1-00000000.parquet'
    const bytes = Buffer.alloc(partBytesMax, 1)
    await there.add({ name: `${name}/00000001`, bytes })
    await there.add({ name: `${name}/00000002`, bytes: Buffer.from('end') })
    await there.end()
    const placed = readFileSync(join(folder, `${copies}`, '202603', 'seg_1-00000000.parquet'))
    assert.deepEqual(placed, Buffer.concat([bytes, Buffer.from('end')]))
  })

  const losses: Readonly<Record<string, (place: CopyPlace) => void>> = {
    'a file that is gone': (place) => filesOf(place).forEach((path) => rmSync(path)),
    'a file with another byte': (place) => filesOf(place).forEach(flip),
    'a file that was cut off': (place) => filesOf(place).forEach((path) => truncateSync(path, 500)),
    'records that are gone': (place) => recordsOf(place).forEach((path) => rmSync(path)),
    'a record with another byte': (place) => recordsOf(place).forEach(flip),
    'a record that was cut off': (place) => recordsOf(place).forEach((path) => truncateSync(path, 500)),
    everything: (place) => {
      rmSync(scanFilePlaces(place).segments, { recursive: true })
      rmSync(scanFilePlaces(place).records, { recursive: true })
      mkdirSync(scanFilePlaces(place).segments)
    },
  }
  for (const [what, lose] of Object.entries(losses))
    test(`says that it lacks ${what}, and so does what is restored from it`, async () => {
      const db = await open()
      const place = await filled(db, folder)
      lose(place)
      const path = await copied(db, place)
      const manifest = await manifestOf(path)
      assert.ok(sum(manifest.lacking) > 0)
      assert.equal(manifest.scans, 100 - sum(manifest.lacking))
      assert.equal(manifest.held?.hits, manifest.scans)
      const verified = await verify(path)
      assert.deepEqual(verified.differences, [])
      assert.deepEqual(verified.lacks, lackingTexts(manifest))
      const { lacking, there, db: other } = await restored(path, await elsewhere(db))
      assert.deepEqual(lacking, manifest.lacking)
      assert.equal(sum(await readScanLosses(other)), sum(manifest.lacking))
      assert.equal(sum(await readScanDays(other)), manifest.scans)
      assert.equal(countedIn(await countersOf(other)), manifest.scans)
      await assertRecovered(other, there, { lost: sum(manifest.lacking) })
      await other.close()
    })

  test('that lost a file or its records after it was made is told by its verification', async () => {
    const db = await open()
    const place = await filled(db, folder)
    const path = await copied(db, place)
    for (const parts of Object.values(partsOf)) {
      const damaged = await copyWithout(path, (name) => name.startsWith(parts))
      const verified = await verify(damaged)
      assert.ok(verified.differences.length > 0)
      assert.ok(verified.lacks.length > 0)
      rmSync(damaged)
    }
  })
})

test('parts that would leave the folders, or that do not follow each other, are refused', async () => {
  const names = [
    'files/../seg_1-00000000.parquet/00000001',
    'files/202603/seg_1-00000000.sqlite/00000001',
    'files/202603/deeper/seg_1-00000000.parquet/00000001',
    'records/00000001.rows',
    'records/../00000001',
  ]
  for (const name of names) {
    const placed = new PlacedFiles({ segments: folder, records: folder })
    await assert.rejects(placed.add({ name, bytes: Buffer.from('x') }), name)
  }
  const placed = new PlacedFiles({ segments: join(folder, 'hostile'), records: folder })
  const [one, two] = ['files/1/a-00000000.parquet/00000001', 'files/1/b-00000000.parquet/00000001']
  for (const name of [one, two]) await placed.add({ name, bytes: Buffer.from('x') })
  await assert.rejects(placed.add({ name: one, bytes: Buffer.from('x') }), /do not follow each other/)
  await placed.abandon()
})

function copied(db: Database, place: CopyPlace): Promise<string> {
  return copyTo(join(folder, `${++copies}.copy`), place, copiedFiles(place, db))
}

async function restored(
  path: string,
  databaseUrl: string | undefined,
): Promise<Restored & { db: Database; there: { dataDir: string } }> {
  const there = { dataDir: mkdtempSync(join(folder, 'restored-')) }
  const found = await withRestoredFiles(there, (store) => restoreFrom(path, { ...there, databaseUrl, store }))
  return { ...found, there }
}

/** The first start finds its folders, and changes nothing, but lists what was lost as lost. */
async function assertRecovered(
  db: Database,
  place: { dataDir: string },
  { lost }: { lost: number },
): Promise<void> {
  const [days, losses, counted] = [
    await daysIn(db),
    await readScanLosses(db),
    countedIn(await countersOf(db)),
  ]
  const places = scanFilePlaces(place)
  const { id: installation, scanStore: store } = (await readInstallation(db)) ?? assert.fail()
  assert.deepEqual(readFilesIdentity(places), { installation, store })
  assert.ok(readdirSync(places.records).length > 0, 'the folder is no empty mount point')
  const batches = await openBatches(db, place)
  const recovered = await batches.recover({ signal: new AbortController().signal })
  assert.equal(recovered.lost.length > 0, lost > 0)
  assert.deepEqual([await daysIn(db), await readScanLosses(db)], [days, losses])
  assert.equal(countedIn(await countersOf(db)), counted)
  assert.equal(batches.isReady, true)
  await batches.close()
}

async function namesIn(path: string): Promise<string[]> {
  const names: string[] = []
  for await (const { name } of readCopyEntries(path)) names.push(name)
  return names
}

function filesOf(place: CopyPlace): string[] {
  return inFolder(join(scanFilePlaces(place).segments, '202602'))
}

function recordsOf(place: CopyPlace): string[] {
  return inFolder(scanFilePlaces(place).records)
}

function inFolder(dir: string): string[] {
  return readdirSync(dir).map((name) => join(dir, name))
}

/** Damages a byte of contents; that of the last record, which no other file has. */
function flip(path: string): void {
  const bytes = readFileSync(path)
  const at = bytes.length - 300
  bytes[at] = (bytes[at] ?? 0) ^ 255
  writeFileSync(path, bytes)
}

async function daysIn(db: Database): Promise<string[]> {
  return (await readScanDays(db)).map(({ writer, day, hits }) => `${writer} ${day} ${hits}`).toSorted()
}

function countedIn(counters: Awaited<ReturnType<typeof countersOf>>): number {
  return Object.values(counters).reduce((all, [scans]) => all + scans, 0)
}
