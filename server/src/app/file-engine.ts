import { mkdir } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { problem } from '@everscan/contract/problems/problem.ts'
import { ListedFiles } from '../analytics/files/listed-files.ts'
import { engineSize, ScanEngine } from '../analytics/files/parquet/scan-engine.ts'
import { RecordReader } from '../analytics/files/records/record-reader.ts'
import { serveEngine, type EngineServerOptions } from '../analytics/files/socket/engine-server.ts'
import { RecordLog } from '../analytics/insert/record-log.ts'
import { ScanStoreUnavailable } from '../analytics/scan-store.ts'
import { openDatabase } from '../db/open-database.ts'
import { listedSegments } from '../ingest/files/segment-catalogue.ts'
import { hasEmbeddedStore } from '../processes/identity-file.ts'
import { readMemory } from '../processes/memory-limits.ts'
import { scanFilePlaces } from '../settings/scan-file-places.ts'
import type { Config } from '../settings/settings.ts'

export type EngineOptions = Pick<EngineServerOptions, 'log' | 'idle'>

/** Runs the engine that reads and writes files of scans. */
export async function runFileEngine(
  { dataDir, databaseUrl }: Pick<Config, 'dataDir' | 'databaseUrl'>,
  socketPath: string,
  { log, ...idle }: EngineOptions,
): Promise<{ close: () => Promise<void> }> {
  const places = scanFilePlaces({ dataDir })
  await mkdir(places.segments, { recursive: true, mode: 0o700 })
  const spillTo = join(dataDir, 'run', 'spill')
  const folders = [places.segments, spillTo]
  const engine = await ScanEngine.open({
    folders,
    spillTo,
    ...sizeOfThisMachine(),
  })
  const db = await openDatabase({ databaseUrl, dataDir, role: 'reader', log })
  const records = new RecordReader(new RecordLog(places.records))
  const readListed = listedSegments(db)
  const readManifest: typeof readListed = async (known) => {
    // Figures of an empty store would be wrong.
    if (hasEmbeddedStore(dataDir)) throw new ScanStoreUnavailable(problem('scanStoreOld').message)
    return await readListed(known)
  }
  const listed = new ListedFiles({ engine, folder: places.segments, records, readManifest })
  const server = await serveEngine({
    engine,
    readListed: () => listed.read(),
    onOutage: () => listed.forgetRollups(),
    socketPath,
    log,
    ...idle,
  })
  return {
    close: async () => {
      await server.close()
      engine.close()
      await db.close()
    },
  }
}

function sizeOfThisMachine(): ReturnType<typeof engineSize> {
  const { totalBytes, limitBytes = totalBytes } = readMemory()
  return engineSize({ memoryBytes: Math.min(limitBytes, totalBytes), processors: availableParallelism() })
}
