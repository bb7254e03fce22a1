// Shared by tests of copies and moves of scans in files: an installation whose scans are a file of
// Parquet and records.
import assert from 'node:assert/strict'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { columnTypes, rowsOfFiles, scanTable } from '../../analytics/files/parquet/file-sql.ts'
import { fileWrites } from '../../analytics/files/parquet/file-writes.ts'
import { ParquetFiles } from '../../analytics/files/parquet/parquet-files.ts'
import { ScanEngine } from '../../analytics/files/parquet/scan-engine.ts'
import { RecordReader } from '../../analytics/files/records/record-reader.ts'
import { RecordLog } from '../../analytics/insert/record-log.ts'
import type { ClickHouse } from '../../analytics/store/clickhouse.ts'
import type { Database } from '../../db/database.ts'
import { updateInstallation } from '../../db/installation.ts'
import type { FileBatches } from '../../ingest/files/file-batches.ts'
import { openFileBatches } from '../../ingest/files/open-file-batches.ts'
import { createFileImporter } from '../../ingest/files/file-importer.ts'
import { segmentCatalogue } from '../../ingest/files/segment-catalogue.ts'
import { scanFilePlaces } from '../../settings/scan-file-places.ts'
import { fill, placeOf, type CopyPlace } from './copied-scans.ts'

/** An engine for the files of all tests of a process, which ends with it. */
const engine = await ScanEngine.open({ folders: [tmpdir()], spillTo: tmpdir(), memory: '64MB' })
const writes = fileWrites(engine)
/** The columns of files but the mark, which ClickHouse derives. */
const columnsInBoth = Object.keys(columnTypes).filter((name) => name !== 'is_unique')

/** Fills a catalogue and its files: those of February are one of Parquet, others are records. */
export async function filled(db: Database, folder: string): Promise<CopyPlace> {
  const place = placeOf(db, mkdtempSync(join(folder, 'filled-')))
  const batches = await openBatches(db, place)
  await batches.recover({ signal: new AbortController().signal })
  await fill(
    db,
    createFileImporter(() => batches),
  )
  await updateInstallation(db, { scanStore: 'files:one' })
  const { segments } = await segmentCatalogue(db).read()
  const old = segments.filter(({ stretches }) => stretches[0]?.month === 202602)
  assert.ok(await batches.merge(old.map(({ id }) => id)))
  await batches.close()
  return place
}

export async function openBatches(db: Database, place: { dataDir: string }): Promise<FileBatches> {
  const { segments, records, visits } = scanFilePlaces(place)
  const parquet = await ParquetFiles.open({ folder: segments, engine: writes })
  return openFileBatches({ recordsFolder: records, visitsFolder: visits }, { db, parquet, clock: Date.now })
}

/** Returns every listed scan with every column, in the order of writers and sequences. */
export async function rowsOf(
  db: Database,
  place: { dataDir: string },
  columns = '* exclude file',
): Promise<unknown[]> {
  const { segments, records } = scanFilePlaces(place)
  const listed = (await segmentCatalogue(db).read()).segments
  await writes.change(scanTable('all_rows'))
  for await (const [file, block] of new RecordReader(new RecordLog(records)).read(
    listed.flatMap(({ id, level }) => (level === 0 ? [id] : [])),
  ))
    await writes.insertBlock(block, { table: 'all_rows', file })
  const parquet = await ParquetFiles.open({ folder: segments, engine: writes })
  await parquet.list()
  const paths = parquet.pathsOf(listed.flatMap(({ id, level }) => (level > 0 ? [id] : [])))
  await writes.change(`insert into all_rows by name select * from ${rowsOfFiles(paths)}`)
  const rows = await writes.rows(`select ${columns} from all_rows order by writer, sequence`)
  assert.ok(rows.length > 0)
  return rows.map((row) => row.map(String))
}

/** Returns the same scans of ClickHouse, with the columns that both have. */
export async function rowsInClickHouse(store: ClickHouse): Promise<unknown[]> {
  const rows = await store.select<Record<string, unknown>>(
    `select ${columnsInBoth.join(', ')} from (
       select * replace (toString(visitor) as visitor, toUnixTimestamp64Milli(time) as time,
         toString(class) as class, toFloat64(latitude) as latitude, toFloat64(longitude) as longitude)
       from scans)
     order by writer, sequence`,
  )
  return rows.map((row) => columnsInBoth.map((name) => String(row[name])))
}

/** The columns that both stores have, as SQL of the engine of files. */
export const columnsOfBoth = columnsInBoth.join(', ').replace('time,', 'epoch_ms(time),')
