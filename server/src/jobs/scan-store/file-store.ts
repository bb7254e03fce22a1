import { ParquetFiles } from '../../analytics/files/parquet/parquet-files.ts'
import { engineClient } from '../../analytics/files/socket/engine-client.ts'
import type { FileBatches } from '../../ingest/files/file-batches.ts'
import { openFileBatches } from '../../ingest/files/open-file-batches.ts'
import { deleteOldScansInFiles } from '../../ingest/files/delete-old-scans.ts'
import { createFileImporter } from '../../ingest/files/file-importer.ts'
import { fileIngester } from '../../ingest/files/file-ingester.ts'
import { createRetentionGrace } from '../../ingest/retention.ts'
import { claimFiles, refuseForeignFiles } from '../../product/installation/identity.ts'
import { engineSocket } from '../../processes/listening.ts'
import { openStore } from '../../product/installation/open-store.ts'
import { scanFilePlaces } from '../../settings/scan-file-places.ts'
import type { Chore } from '../start-jobs.ts'
import { watchChores } from './watch-files.ts'
import { addFileMetrics } from './file-metrics.ts'
import { addRewriteMetrics } from './rewrite-scan-store.ts'
import type { WorkerStore, WorkerStoreParts } from './worker-store.ts'

const mergeMs = 1_000
const removeMs = 10 * 60_000
const flushMs = 3_600_000
/** There is work only once a day, but checking costs nothing. */
const deleteMs = 60_000

/** Returns the scan store of a worker in files. */
export function fileStore(parts: WorkerStoreParts): WorkerStore {
  const { db, config, refusalOf, metrics } = parts
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
      const parquet = await ParquetFiles.open({ folder: places.segments, engine })
      batches ??= await openFileBatches(
        { recordsFolder: places.records, visitsFolder: places.visits },
        {
          db,
          parquet,
          clock: Date.now,
          isOwn: (dir) => refusalOf(dir) === undefined,
          requireOwn: () => refuseForeignFiles(db, config),
        },
      )
    },
    check: { brokenParts: [], correctedScans: 0 },
    detachedParts: async () => [],
    startRewrite: () => {
      addRewriteMetrics(metrics, () => undefined)
      addFileMetrics(metrics, () => batches?.listed)
      return { parts: () => [], ended: Promise.resolve() }
    },
    chores: choresOf(() => batches, { ...parts, isAwake: engine.isAwake }),
    // Ingest closes the files, and each call of the engine has a connection of its own.
    close: async () => {},
  }
}

function choresOf(
  readBatches: () => FileBatches | undefined,
  { config: { retentionDays }, log, signal, isAwake }: WorkerStoreParts & { isAwake: () => Promise<boolean> },
): Chore[] {
  const grace = createRetentionGrace({ log })
  const mergeAll = async (): Promise<void> => {
    while (!signal.aborted && (await readBatches()?.mergeNext(isAwake)) === true);
    while (!signal.aborted && (await readBatches()?.rollUpNext()) === true);
  }
  const deleteOld: Chore['run'] = async (db, nowMs) => {
    const batches = readBatches()
    if (batches !== undefined)
      await deleteOldScansInFiles(db, nowMs, { batches, retentionDays, signal, grace })
  }
  return [
    ...watchChores(readBatches, { log, signal }),
    { name: 'mergeScanFiles', everyMs: mergeMs, run: mergeAll },
    { name: 'removeScanFiles', everyMs: removeMs, run: async () => readBatches()?.removeFiles() },
    { name: 'flushFirstVisits', everyMs: flushMs, run: async () => readBatches()?.flush() },
    { name: 'deleteOldScans', everyMs: deleteMs, run: deleteOld },
  ]
}
