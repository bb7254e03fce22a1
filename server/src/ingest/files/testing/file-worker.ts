import { join } from 'node:path'
import { ParquetFiles } from '../../../analytics/files/parquet/parquet-files.ts'
import { fileWrites } from '../../../analytics/files/parquet/file-writes.ts'
import type { ScanEngine } from '../../../analytics/files/parquet/scan-engine.ts'
import type { Database } from '../../../db/database.ts'
import { journalFolders } from '../../../journal/journal-folders.ts'
import type { Journal } from '../../../journal/journal.ts'
import { readWriters } from '../../../journal/reader.ts'
import { writerJournal, type Found, type IngestBase, type WriterJournal } from '../../ingest-context.ts'
import { emptyStats } from '../../ingest-stats.ts'
import { silentLog, testGeography } from '../../testing/ingest.ts'
import { openFileBatches } from '../open-file-batches.ts'
import { fileIngester } from '../file-ingester.ts'

/** The folders of a machine: those of its journals, and of its files of scans. */
export type Machine = { journalRoot: string; folder: string }
export type Failing = { isDue: () => boolean }

class ConnectionLost extends Error {}

/** Throws any other error again. */
export function assertLost(error: unknown): void {
  if (!(error instanceof ConnectionLost)) throw error
}

/** Opens everything as a start does; a worker before it is as good as killed. */
export async function startWorker(
  { journalRoot, folder }: Machine,
  {
    engine,
    db: whole,
    clock = Date.now,
    failing = { isDue: () => false },
    found = [],
    requireOwn = async () => {},
  }: {
    engine: ScanEngine
    db: Database
    clock?: () => number
    failing?: Failing
    found?: Found[]
    requireOwn?: () => Promise<void>
  },
) {
  const parquet = await ParquetFiles.open({ folder: join(folder, 'segments'), engine: fileWrites(engine) })
  const db: Database = {
    ...whole,
    beforeCommit: async () => {
      if (failing.isDue()) throw new ConnectionLost()
    },
  }
  const places = { recordsFolder: join(journalRoot, 'scans'), visitsFolder: join(folder, 'visits') }
  const batches = await openFileBatches(places, { db, parquet, clock, requireOwn })
  const base: IngestBase = {
    journalRoot,
    db,
    places: testGeography,
    log: silentLog,
    stats: emptyStats(),
    clock,
    startedMs: clock(),
    isChecked: false,
    mustCheck: true,
    onFound: async (_, one) => void found.push(one),
    rowsMax: 20,
  }
  const ingester = fileIngester(batches)(base)
  const readers = new Map<string, WriterJournal>()
  const compare = async (): Promise<void> => {
    for (const dir of await journalFolders(journalRoot))
      for (const { writer } of readWriters(dir))
        if (!readers.has(writer)) readers.set(writer, writerJournal(dir, writer))
    await ingester.compare([...readers.values()], new AbortController().signal)
    base.isChecked = true
    base.mustCheck = false
  }
  /** Does what the loop of ingest does for a journal. Errors are tried again by the next call. */
  const pass = async ({ writerId = '' }: Journal): Promise<string> => {
    try {
      if (base.mustCheck) await compare()
      const reader = readers.get(writerId)
      if (reader !== undefined) return await ingester.ingestNext(reader)
      base.mustCheck = true
    } catch (error) {
      assertLost(error)
    }
    return 'failed'
  }
  const ingestAll = async (journal: Journal): Promise<void> => {
    while ((await pass(journal)) !== 'none');
  }
  return { batches, compare, pass, ingestAll }
}
