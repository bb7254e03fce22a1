import { existsSync, readdirSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { chdbVersion, withChdb } from '../analytics/engine/load-chdb.ts'
import type { Database } from '../db/database.ts'
import { readInstallation, updateInstallation } from '../db/installation.ts'
import { requireReadyCatalogue } from '../db/migrations/schema-state.ts'
import { openDatabase } from '../db/open-database.ts'
import { allCheckpoints, restoreCheckpoints } from '../db/scans/ingest-checkpoints.ts'
import { readRetention } from '../db/scans/scan-counters.ts'
import { FatalError } from '../errors.ts'
import { balanceLedger } from '../ingest/files/scan-ledger.ts'
import type { Log } from '../log.ts'
import { lockDataDir } from '../processes/data-dir.ts'
import { hasEmbeddedStore, readIdentity, writeIdentity } from '../processes/identity-file.ts'
import { scanFilePlaces } from '../settings/scan-file-places.ts'
import type { Config } from '../settings/settings.ts'
import { storeKindOf } from '../settings/store-kind.ts'
import { compareFigures } from './compare-figures.ts'
import type { CopyStep } from './make-copy.ts'
import { newStoreId } from './restore-copy.ts'
import type { TakenStore } from './stores/file-copies.ts'
import { withEmbeddedScans, type MovedStore } from './stores/moved-stores.ts'

export type UpgradeRequest = {
  config: Config
  log: Log
  nowMs: number
  progress?: (step: CopyStep) => void
  /** Called before npm installs what reads the embedded store, for this call only. */
  onInstall: () => void
  signal: AbortSignal
}

export { chdbVersion }

export type UpgradedStore = { scans: number; codes: number }

/**
 * Makes the scans of the embedded store of a data directory files of Parquet, while no service
 * runs. Returns undefined if an earlier call lacked only its last step. Can be interrupted anywhere
 * and repeated: until the transaction that lists all files, the embedded store is that of the
 * installation. Throws an Error with a sentence.
 */
export async function upgradeStore(request: UpgradeRequest): Promise<UpgradedStore | undefined> {
  const { config, log } = request
  const { dataDir, databaseUrl } = config
  if (storeKindOf(config) === 'server')
    throw new FatalError('CLICKHOUSE_URL is set: only scans in DATA_DIR become files. Remove the setting.')
  const lock = await lockDataDir(dataDir)
  try {
    const db = await openDatabase({ databaseUrl, dataDir, role: 'writer', log })
    try {
      await requireReadyCatalogue(db)
      const installation = await readInstallation(db)
      if (installation?.scanStore?.startsWith('files:') === true) return await complete(db, dataDir)
      if (installation === undefined || !hasEmbeddedStore(dataDir))
        throw new FatalError(`the scans of ${dataDir} are not in its embedded scan store.`)
      return await withChdb(join(dataDir, 'chdb'), {
        onInstall: request.onInstall,
        work: () => moveIntoFiles(request, { db, installation: installation.id }),
      })
    } finally {
      await db.close()
    }
  } finally {
    lock.release()
  }
}

async function moveIntoFiles(
  request: UpgradeRequest,
  { db, installation }: { db: Database; installation: string },
): Promise<UpgradedStore> {
  const { config, log, signal, progress } = request
  const { dataDir, databaseUrl } = config
  await beginFolder(dataDir)
  const source = { databaseUrl, dataDir, log }
  // DuckDB is loaded only where it is used.
  const { withTakenScans } = await import('./stores/file-copies.ts')
  const upgraded = await withEmbeddedScans({ config, source }, (from) =>
    withTakenScans({ dataDir }, async (files) => {
      const store = newStoreId('files')
      await files.begin({ installation, store })
      const scans = await takeAll(from, files, request)
      const checkpoints = new Map((await allCheckpoints(db)).map((one) => [one.writer, one.sequence]))
      const days = await files.end(checkpoints, signal)
      const figures = await compareFigures(from.figures(), files.figures(), {
        progress: (done) => progress?.({ doing: 'figures', done }),
        signal,
      })
      if (figures.differences.length > 0)
        throw new Error(
          `the figures in files differ from those in the embedded scan store, which stays that of the installation: ${figures.differences.join('; ')}.`,
        )
      const retention = await readRetention(db)
      await files.list(db, async (tx) => {
        await balanceLedger(tx, days, { deletedBeforeMs: retention?.beforeMs ?? 0 })
        // Batches that were not settled are read from their journals again.
        await restoreCheckpoints(tx, [])
        await updateInstallation(tx, { scanStore: store })
      })
      return { scans, codes: figures.codes }
    }),
  )
  await complete(db, dataDir)
  return upgraded
}

async function takeAll(
  { scans }: MovedStore,
  files: TakenStore,
  { progress, signal }: UpgradeRequest,
): Promise<number> {
  const months = await scans.months()
  const of = months.reduce((sum, { rows }) => sum + rows, 0)
  let done = 0
  for (const { month } of months)
    for await (const { native } of scans.pieces(month)) {
      signal.throwIfAborted()
      done += await files.add(native)
      progress?.({ doing: 'scans', done, of })
    }
  return done
}

/** The data directory gets the id of the store that the catalogue has. */
async function complete(db: Database, dataDir: string): Promise<undefined> {
  const marker = markerIn(dataDir)
  const scanStore = (await readInstallation(db))?.scanStore
  const identity = readIdentity(dataDir)
  if (!existsSync(marker) || scanStore === null || scanStore === undefined || identity === undefined)
    throw new FatalError(`the scans of ${dataDir} are in files already: start the service.`)
  writeIdentity(dataDir, { ...identity, scanStore })
  await rm(marker)
}

/** Removes what an interrupted call has left. */
async function beginFolder(dataDir: string): Promise<void> {
  const { folder, records } = scanFilePlaces({ dataDir })
  const marker = markerIn(dataDir)
  // A start makes empty folders.
  const found = [folder, records].find((path) => hasScanFiles(path))
  if (found !== undefined && !existsSync(marker))
    throw new FatalError(
      `${found} has scans, although those of this installation are in its embedded scan store: move it away.`,
    )
  for (const path of [folder, records]) await rm(path, { recursive: true, force: true })
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await writeFile(marker, '')
}

function hasScanFiles(path: string): boolean {
  if (!existsSync(path)) return false
  return readdirSync(path, { recursive: true }).some((name) => /\.(parquet|rows)$/.test(String(name)))
}

function markerIn(dataDir: string): string {
  return join(scanFilePlaces({ dataDir }).folder, 'upgrading')
}
