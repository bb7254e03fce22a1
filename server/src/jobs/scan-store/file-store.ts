import { ParquetFiles } from '../../analytics/files/parquet/parquet-files.ts'
import { engineClient } from '../../analytics/files/socket/engine-client.ts'
import { openFileBatches, type FileBatches } from '../../ingest/files/file-batches.ts'
import { createFileImporter } from '../../ingest/files/file-importer.ts'
import { fileIngester } from '../../ingest/files/file-ingester.ts'
import { claimFiles } from '../../product/installation/identity.ts'
import { engineSocket, openStore } from '../../product/installation/open-store.ts'
import { scanFilePlaces } from '../../product/installation/scan-file-places.ts'
import type { Chore } from '../start-jobs.ts'
import { addRewriteMetrics } from './rewrite-scan-store.ts'
import type { WorkerStore, WorkerStoreParts } from './worker-store.ts'

const mergeMs = 1_000
const removeMs = 10 * 60_000
const flushMs = 3_600_000

/** Nothing is deleted yet. */
const deletedBeforeMs = () => 0

/** Returns the scan store of a worker in files. */
export function fileStore({ db, config, refusalOf, metrics, signal }: WorkerStoreParts): WorkerStore {
  const places = scanFilePlaces(config)
  const engine = engineClient(engineSocket(config))
  let batches: FileBatches | undefined
  return {
    scans: openStore(config),
    hits: createFileImporter(() => batches),
    ingester: (base) => {
      if (batches === undefined) throw new Error('the files of scans were not opened')
      return fileIngester(batches)(base)
    },
    folder: places.folder,
    prepare: async () => {
      await claimFiles(db, config)
      const parquet = await ParquetFiles.open({ folder: places.segments, engine, deletedBeforeMs })
      batches ??= await openFileBatches(
        { recordsFolder: places.records, visitsFolder: places.visits },
        { db, parquet, clock: Date.now, deletedBeforeMs, isOwn: (dir) => refusalOf(dir) === undefined },
      )
    },
    check: { brokenParts: [], correctedScans: 0 },
    detachedParts: async () => [],
    startRewrite: () => {
      addRewriteMetrics(metrics, () => undefined)
      return { parts: () => [], ended: Promise.resolve() }
    },
    chores: choresOf(() => batches, signal),
    // Ingest closes the files, and each call of the engine has a connection of its own.
    close: async () => {},
  }
}

function choresOf(readBatches: () => FileBatches | undefined, signal: AbortSignal): Chore[] {
  const mergeAll = async (): Promise<void> => {
    while (!signal.aborted && (await readBatches()?.mergeNext()) === true);
  }
  return [
    { name: 'mergeScanFiles', everyMs: mergeMs, run: mergeAll },
    { name: 'removeScanFiles', everyMs: removeMs, run: async () => readBatches()?.removeFiles() },
    { name: 'flushFirstVisits', everyMs: flushMs, run: async () => readBatches()?.flush() },
  ]
}
