import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { figuresInFiles } from '../../analytics/copies/figures-in-files.ts'
import { HeldFiles } from '../../analytics/copies/held-files.ts'
import { withOwnFolder } from '../../analytics/copies/own-folder.ts'
import { PlacedFiles } from '../../analytics/copies/placed-files.ts'
import { TakenScans } from '../../analytics/copies/taken-scans.ts'
import { sumOf, type CodeCounts } from '../../analytics/files/code-counts.ts'
import { readFilesIdentity, writeFilesIdentity } from '../../analytics/files/folder-claim.ts'
import { changeManifest, emptyManifest, type ScanSegment } from '../../analytics/files/manifest.ts'
import { fileWrites, type FileWrites } from '../../analytics/files/parquet/file-writes.ts'
import { ParquetFiles } from '../../analytics/files/parquet/parquet-files.ts'
import { engineSize, ScanEngine } from '../../analytics/files/parquet/scan-engine.ts'
import { RecordFiles, type SegmentRecord } from '../../analytics/files/records/record-files.ts'
import { ScanFiles } from '../../analytics/files/scan-files.ts'
import { RecordLog } from '../../analytics/insert/record-log.ts'
import { inTransaction, type Database } from '../../db/database.ts'
import { readInstallation } from '../../db/installation.ts'
import { hasScanDays } from '../../db/scans/scan-days.ts'
import { forgetSegments, setCounters } from '../../db/scans/scan-segments.ts'
import { FatalError } from '../../errors.ts'
import { createId } from '../../ids.ts'
import { listedSegments, movesOf, segmentCatalogue } from '../../ingest/files/segment-catalogue.ts'
import { scanFilePlaces, type ScanFilePlaces } from '../../settings/scan-file-places.ts'
import { entryNames } from '../manifest.ts'
import type { CopiedStore, CountedScans, RestoredStore } from './copied-store.ts'

/** A command may run beside the service. */
const size = engineSize({ memoryBytes: 1024 ** 3, processors: 1 })

type Place = { dataDir: string }

/** Returns the scans in files of an installation, for copies. Nobody else's engine is asked. */
export function copiedFiles(place: Place, db: Database): CopiedStore {
  const places = scanFilePlaces(place)
  return {
    scansIn: 'files',
    estimate: async () => {
      const { segments: listed = [] } = await listedSegments(db)(undefined)
      return {
        bytes: listed.reduce((sum, { bytes }) => sum + bytes, 0),
        rows: listed.reduce((sum, { rows }) => sum + rows, 0),
      }
    },
    requireOwn: (catalogue) => requireOwnFolder(catalogue, places),
    problemOf: (error) => error,
    // The catalogue lists what it counted.
    storedBefore: async () => new Map(),
    read: ({ ledger: { segments } }, work) =>
      withHeldFiles(place, segments, (held) => {
        const scans: CountedScans = {
          pieces: () => held.parts(),
          days: () => held.days(),
          figures: () => held.figures(),
        }
        return work(scans)
      }),
  }
}

/** Calls `work` with listed files of an installation, which stay meanwhile. */
export async function withHeldFiles<Result>(
  place: Place,
  listed: readonly ScanSegment[],
  work: (held: HeldFiles) => Promise<Result>,
): Promise<Result> {
  const places = scanFilePlaces(place)
  const { segments } = places
  return await withOwnFolder(join(places.folder, 'held'), (folder) =>
    withEngine({ folders: [segments, folder], dataDir: place.dataDir }, async (engine) => {
      const records = new RecordLog<SegmentRecord>(places.records)
      return await work(await HeldFiles.hold({ listed, segments, records, folder, engine }))
    }),
  )
}

/** Calls `work` with an empty folder for scans in files, for a copy that is restored. */
export async function withRestoredFiles<Result>(
  place: Place,
  work: (store: RestoredStore) => Promise<Result>,
): Promise<Result> {
  const places = scanFilePlaces(place)
  return await withPlacedFiles({ ...place, ...places }, async (files, opened) => {
    const placed = new PlacedFiles(places)
    const folder = join(opened.spillTo, 'taken')
    const taken = await TakenScans.open({ ...opened, folder, newId: () => createId('seg') })
    try {
      return await work(restoredFiles(files, { placed, taken, ...opened }))
    } finally {
      await placed.abandon()
      await taken.close()
    }
  })
}

/** Scans of an embedded store on their way into files of the same data directory. */
export type TakenStore = Pick<RestoredStore, 'begin' | 'end' | 'figures'> & {
  /** See `TakenScans.add`. */
  add: (native: Buffer) => Promise<number>
  /** Lists the files and sets the counters, in one transaction with other changes. */
  list: (db: Database, also: (tx: Database) => Promise<void>) => Promise<void>
}

/** Calls `work` with empty folders for the scans of an embedded store. */
export async function withTakenScans<Result>(
  place: Place,
  work: (files: TakenStore) => Promise<Result>,
): Promise<Result> {
  return await withRestoredFiles(place, (store) =>
    work({
      begin: (identity) => store.begin(identity),
      add: (bytes) => store.add({ name: entryNames.scans, bytes }),
      end: (...options) => store.end(...options),
      figures: () => store.figures(),
      list: (db, also) =>
        inTransaction(db, async (tx) => {
          await store.settle(tx, new AbortController().signal)
          await also(tx)
        }),
    }),
  )
}

type OpenedFiles = { spillTo: string; engine: FileWrites; records: RecordFiles; parquet: ParquetFiles }

/** Calls `work` with the files of two folders, which nobody else uses. */
export async function withPlacedFiles<Result>(
  { dataDir, segments, records: recordsFolder }: Place & { segments: string; records: string },
  work: (files: ScanFiles, opened: OpenedFiles) => Promise<Result>,
): Promise<Result> {
  await mkdir(segments, { recursive: true, mode: 0o700 })
  return await withEngine({ folders: [segments], dataDir }, async (engine, spillTo) => {
    const records = new RecordFiles(new RecordLog(recordsFolder))
    const parquet = await ParquetFiles.open({ folder: segments, engine })
    return await work(new ScanFiles({ records, parquet }), { spillTo, engine, records, parquet })
  })
}

function restoredFiles(
  files: ScanFiles,
  { placed, taken, engine, records, parquet }: OpenedFiles & { placed: PlacedFiles; taken: TakenScans },
): RestoredStore {
  let ids: readonly string[] = []
  let made: readonly ScanSegment[] | undefined
  return {
    kind: 'files',
    begin: async (identity) => {
      await writeFilesIdentity({ segments: parquet.folder }, identity)
      // A folder of records without any file is taken for one that is not mounted.
      await placed.beginRecords()
    },
    takes: (name) => PlacedFiles.isPart(name) || name.startsWith(entryNames.scans),
    add: async (entry) => {
      if (!PlacedFiles.isPart(entry.name)) return await taken.add(entry.bytes)
      await placed.add(entry)
      return 0
    },
    end: async (checkpoints, signal) => {
      await placed.end()
      if (taken.progress.scans > 0) made = await taken.finish({ checkpoints, signal })
      ids = (await files.list()).filter(({ isGood }) => isGood).map(({ id }) => id)
      return await files.daysOf(ids)
    },
    settle: async (db, signal) => {
      const counts: CodeCounts[] = []
      for (const id of ids) {
        signal.throwIfAborted()
        counts.push(await files.countOf(id))
      }
      if (made === undefined) await setCounters(db, movesOf(sumOf(counts)))
      else await beginManifest(db, made, sumOf(counts))
    },
    figures: () =>
      figuresInFiles(engine, {
        paths: parquet.pathsOf(ids.filter((id) => !records.has(id))),
        records: async function* blocks() {
          for (const id of ids) if (records.has(id)) yield await records.read(id)
        },
      }),
  }
}

/** Lists the files that scans of ClickHouse became. */
async function beginManifest(db: Database, added: readonly ScanSegment[], counts: CodeCounts): Promise<void> {
  await forgetSegments(db)
  const change = { from: emptyManifest.revision, to: createId('seg'), added, removed: [], movesMarks: true }
  await segmentCatalogue(db).recount(change, changeManifest(emptyManifest, change), counts)
}

async function withEngine<Result>(
  { folders, dataDir }: Place & { folders: readonly string[] },
  work: (engine: FileWrites, spillTo: string) => Promise<Result>,
): Promise<Result> {
  return await withOwnFolder(join(dataDir, 'run', 'copies'), async (spillTo) => {
    const engine = await ScanEngine.open({ folders: [...folders, spillTo], spillTo, ...size })
    try {
      return await work(fileWrites(engine), spillTo)
    } finally {
      engine.close()
    }
  })
}

async function requireOwnFolder(db: Database, places: ScanFilePlaces): Promise<void> {
  const installation = await readInstallation(db)
  const { segments } = places
  const owner = readFilesIdentity(places)?.installation
  if (installation !== undefined && owner !== undefined && owner !== installation.id)
    throw new FatalError(
      `${segments} holds the scans of installation ${owner}: put the right folder back. No copy was made.`,
    )
  if (existsSync(segments) || !(await hasScanDays(db))) return
  throw new FatalError(
    `${segments} is missing, but the catalogue knows of scans in it: put the right folder back (is a disk not mounted?). If it is lost: ./everscan adopt scan-store. No copy was made.`,
  )
}
