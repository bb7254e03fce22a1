import { existsSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { figuresInFiles } from '../../analytics/copies/figures-in-files.ts'
import { HeldFiles } from '../../analytics/copies/held-files.ts'
import { PlacedFiles } from '../../analytics/copies/placed-files.ts'
import { sumOf } from '../../analytics/files/code-counts.ts'
import type { ScanSegment } from '../../analytics/files/manifest.ts'
import { fileWrites, type FileWrites } from '../../analytics/files/parquet/file-writes.ts'
import { ParquetFiles } from '../../analytics/files/parquet/parquet-files.ts'
import { ScanEngine } from '../../analytics/files/parquet/scan-engine.ts'
import { RecordFiles, type SegmentRecord } from '../../analytics/files/records/record-files.ts'
import { ScanFiles } from '../../analytics/files/scan-files.ts'
import { RecordLog } from '../../analytics/insert/record-log.ts'
import type { Database } from '../../db/database.ts'
import { hasScanDays } from '../../db/scans/scan-days.ts'
import { setCounters } from '../../db/scans/scan-segments.ts'
import { FatalError } from '../../errors.ts'
import { listedSegments, movesOf } from '../../ingest/files/segment-catalogue.ts'
import { scanFilePlaces } from '../../settings/scan-file-places.ts'
import type { CopiedStore, CountedScans, RestoredStore } from './copied-store.ts'

/** A command has the memory of a machine beside the service, if there is one. */
const memory = '256MB'

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
    requireOwn: (catalogue) => requireFolder(catalogue, places.segments),
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
  const heldIn = join(places.folder, 'held')
  const folders = { folders: [places.segments, heldIn], spillTo: spillIn(place.dataDir) }
  return await withEngine(folders, async (engine) => {
    const records = new RecordLog<SegmentRecord>(places.records)
    const held = await HeldFiles.hold({ listed, segments: places.segments, records, heldIn, engine })
    try {
      return await work(held)
    } finally {
      await held.release()
    }
  })
}

/** Calls `work` with an empty folder for scans in files, for a copy that is restored. */
export async function withRestoredFiles<Result>(
  place: Place,
  work: (store: RestoredStore) => Promise<Result>,
): Promise<Result> {
  const places = scanFilePlaces(place)
  return await withPlacedFiles({ ...place, ...places }, async (files, opened) => {
    const placed = new PlacedFiles(places)
    try {
      return await work(restoredFiles(files, { placed, ...opened }))
    } finally {
      await placed.abandon()
    }
  })
}

type OpenedFiles = { engine: FileWrites; records: RecordFiles; parquet: ParquetFiles }

/** Calls `work` with the files of two folders, which nobody else uses. */
export async function withPlacedFiles<Result>(
  { dataDir, segments, records: recordsFolder }: Place & { segments: string; records: string },
  work: (files: ScanFiles, opened: OpenedFiles) => Promise<Result>,
): Promise<Result> {
  await mkdir(segments, { recursive: true, mode: 0o700 })
  return await withEngine({ folders: [segments], spillTo: spillIn(dataDir) }, async (engine) => {
    const records = new RecordFiles(new RecordLog(recordsFolder))
    const parquet = await ParquetFiles.open({ folder: segments, engine })
    return await work(new ScanFiles({ records, parquet }), { engine, records, parquet })
  })
}

function restoredFiles(
  files: ScanFiles,
  { placed, engine, records, parquet }: OpenedFiles & { placed: PlacedFiles },
): RestoredStore {
  let ids: readonly string[] = []
  return {
    kind: 'files',
    begin: async () => {},
    takes: (name) => PlacedFiles.isPart(name),
    add: async (entry) => {
      await placed.add(entry)
      return 0
    },
    end: async () => {
      await placed.end()
      ids = (await files.list()).filter(({ isGood }) => isGood).map(({ id }) => id)
      return await files.daysOf(ids)
    },
    settle: async (db, signal) => {
      const counts = []
      for (const id of ids) {
        signal.throwIfAborted()
        counts.push(await files.countOf(id))
      }
      await setCounters(db, movesOf(sumOf(counts)))
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

function spillIn(dataDir: string): string {
  return join(dataDir, 'run', 'spill-copy')
}

async function withEngine<Result>(
  { folders, spillTo }: { folders: readonly string[]; spillTo: string },
  work: (engine: FileWrites) => Promise<Result>,
): Promise<Result> {
  await mkdir(spillTo, { recursive: true, mode: 0o700 })
  const engine = await ScanEngine.open({ folders: [...folders, spillTo], spillTo, memory })
  try {
    return await work(fileWrites(engine))
  } finally {
    engine.close()
    await rm(spillTo, { recursive: true, force: true })
  }
}

async function requireFolder(db: Database, folder: string): Promise<void> {
  if (existsSync(folder) || !(await hasScanDays(db))) return
  throw new FatalError(
    `${folder} is missing, but the catalogue knows of scans in it: put the right folder back (is a disk not mounted?). If it is lost: ./everscan adopt scan-store. No copy was made.`,
  )
}
