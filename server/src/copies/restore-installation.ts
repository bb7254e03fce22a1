import { readdirSync, rmSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { readStoreIdentity } from '../analytics/store/store-identity.ts'
import { emptyScanStore } from '../analytics/store/empty-store.ts'
import { openClickHouse } from '../analytics/store/open-clickhouse.ts'
import type { Config } from '../settings/settings.ts'
import { storeKindOf } from '../settings/store-kind.ts'
import { whatIsIn } from '../db/dump/load-catalogue.ts'
import type { Installation } from '../db/installation.ts'
import { readInstallation } from '../db/installation.ts'
import { openDatabase } from '../db/open-database.ts'
import { peekCatalogue } from '../db/peek-installation.ts'
import type { Log } from '../log.ts'
import { lockDataDir, writeSecret, writeVisitorKey } from '../processes/data-dir.ts'
import { nameWhenWritten } from '../processes/identity-file.ts'
import { foreignJournals } from '../processes/journal-owners.ts'
import {
  isRestoreMarker,
  readRestoreMarker,
  removeRestoreMarker,
  writeRestoreMarker,
} from '../processes/restore-marker.ts'
import { checkCopyFile } from './copy-file-reader.ts'
import { lackingTexts } from './lacking.ts'
import type { CopyStep } from './make-copy.ts'
import type { CopyManifest, CopyMeta } from './manifest.ts'
import { readKeys, readMeta } from './read-meta.ts'
import { newStoreId, restoreCopy, writeDataDirIdentity, type RestoreTarget } from './restore-copy.ts'
import { requireFreeSpace } from './room.ts'
import { settleKeys, type SettledKeys } from './settle-keys.ts'
import { restoredShare } from './verify-copy.ts'
import { clickHouseFor } from './stores/clickhouse-copies.ts'
import type { RestoredStore } from './stores/copied-store.ts'

export type RestoreRequest = {
  config: Config
  path: string
  passphrase: string | undefined
  /** The visitor key from the operator, which an unencrypted copy does not hold. */
  visitorKey: string | undefined
  /** See `RestoreOptions`. */
  journalRoot?: string
  log: Log
  nowMs: number
  progress?: (step: CopyStep) => void
  signal: AbortSignal
}

export type RestoredInstallation = {
  meta: CopyMeta
  /** Undefined if an earlier restore was complete except for its last step. */
  manifest: CopyManifest | undefined
  /** The scans that the restored installation lacks, as `lackingTexts` returns them. */
  lacks: readonly string[]
  keys: SettledKeys
}

/**
 * Restores a copy into the data directory, database and scan store of the settings, all of which
 * must be empty. No service starts with the leftovers of an interrupted restore; the next restore
 * removes them. Throws `CopyProblem` for the file, and an Error with a sentence for every other
 * problem.
 */
export async function restoreInstallation(request: RestoreRequest): Promise<RestoredInstallation> {
  const { config, path, passphrase, signal } = request
  const { dataDir } = config
  const { payloadBytes } = await checkCopyFile(path, { signal })
  const meta = await readMeta(path, passphrase)
  refuseForeignFolders(request.journalRoot, meta)
  const keys = settleKeys(meta, await readKeys(path, passphrase), request)
  const lock = await lockDataDir(dataDir)
  try {
    const finished = await removeInterrupted(request)
    if (finished !== undefined) {
      complete(request, finished, keys)
      return { meta, manifest: undefined, lacks: [], keys }
    }
    requireEmptyDataDir(dataDir, path)
    await requireEmptyDatabase(request)
    await requireFreeSpace(dataDir, payloadBytes * restoredShare)
    return { ...(await restoreInto(request, meta, keys)), keys }
  } finally {
    lock.release()
  }
}

async function restoreInto(
  request: RestoreRequest,
  meta: CopyMeta,
  keys: SettledKeys,
): Promise<Omit<RestoredInstallation, 'keys'>> {
  const { config, path, passphrase, log, nowMs, signal, progress } = request
  const { dataDir, databaseUrl } = config
  const storeId = newStoreId(storeKindOf(config))
  // Before the engine makes its files: whatever is left of this restore has the marker beside it.
  writeRestoreMarker(dataDir, { storeId })
  return withEmptyStore(request, { storeId, meta }, async (store) => {
    const target: RestoreTarget = { dataDir, databaseUrl, store, log }
    const { manifest, lacking } = await restoreCopy(target, {
      path,
      passphrase,
      meta,
      visitorKeyFingerprint: keys.visitorKeyFingerprint,
      storeId,
      nowMs,
      ...(request.journalRoot !== undefined && { journalRoot: request.journalRoot }),
      ...(progress !== undefined && { progress }),
      signal,
    })
    const db = await openDatabase({ databaseUrl, dataDir, role: 'writer', log })
    const installation = await readInstallation(db)
    await db.close()
    if (installation === undefined) throw new Error('the restored catalogue names no installation')
    complete(request, installation, keys)
    return { meta, manifest, lacks: lackingTexts({ ...manifest, lacking }) }
  }).catch((error: unknown) => {
    removeRestored(dataDir)
    removeRestoreMarker(dataDir)
    throw error
  })
}

/** Writes keys and identity. The identity, which a start checks, comes last. */
function complete(
  { config }: RestoreRequest,
  installation: Installation,
  { secret, visitorKey }: SettledKeys,
): void {
  const { dataDir } = config
  if (secret !== undefined && config.secret === undefined) writeSecret(dataDir, secret)
  if (visitorKey !== undefined && config.visitorKey === undefined) writeVisitorKey(dataDir, visitorKey)
  writeDataDirIdentity(dataDir, installation, storeKindOf(config))
  removeRestoreMarker(dataDir)
}

/**
 * Removes the leftovers of an interrupted restore. If that restore was complete except for its last
 * step, removes nothing and returns its installation.
 */
async function removeInterrupted({ config, log }: RestoreRequest): Promise<Installation | undefined> {
  const { dataDir, databaseUrl, clickhouseUrl } = config
  const marker = readRestoreMarker(dataDir)
  if (marker === undefined) return undefined
  const found = await peekCatalogue({ databaseUrl, dataDir, log })
  if (found.state === 'named' && found.installation.scanStore === marker.storeId) return found.installation
  removeRestored(dataDir)
  if (clickhouseUrl !== undefined) {
    const store = openClickHouse({ url: clickhouseUrl })
    await emptyScanStore(store, marker.storeId)
    await store.close()
  }
  return undefined
}

function refuseForeignFolders(journalRoot: string | undefined, { installation }: CopyMeta): void {
  const [foreign] = journalRoot === undefined ? [] : foreignJournals(journalRoot, installation)
  if (foreign === undefined) return
  throw new Error(
    `the journals in ${foreign.dir} belong to installation ${foreign.installation}, but the copy to ${installation}: name the journal folder of the latter with --journal.`,
  )
}

/** The names that a restore creates in a data directory. */
const restoredNames = new Set([
  'journal',
  'scans',
  'scan-files',
  'secret',
  'visitor-key',
  'installation.json',
])

function removeRestored(dataDir: string): void {
  for (const name of readdirSync(dataDir))
    if (restoredNames.has(nameWhenWritten(name)) || name.startsWith('catalogue.sqlite'))
      rmSync(join(dataDir, name), { recursive: true, force: true })
}

function requireEmptyDataDir(dataDir: string, path: string): void {
  const copy = dirname(resolve(path)) === dataDir ? basename(path) : undefined
  const ignored = new Set(['run', 'lost+found', copy])
  const found = readdirSync(dataDir).filter((name) => !ignored.has(name) && !isRestoreMarker(name))
  if (found.length > 0)
    throw new Error(
      `DATA_DIR ${dataDir} is not empty: it holds ${listed(found)}. A copy can only be restored into an empty directory: set another DATA_DIR, or move these files away.`,
    )
}

function listed(names: readonly string[]): string {
  const shown = names.toSorted().slice(0, 5).join(', ')
  return names.length > 5 ? `${shown} and ${names.length - 5} more` : shown
}

async function requireEmptyDatabase({ config, log }: RestoreRequest): Promise<void> {
  const { databaseUrl, dataDir } = config
  if (databaseUrl === undefined) return
  const found = await whatIsIn({ databaseUrl, dataDir, log })
  if (found !== undefined)
    throw new Error(
      `the database of DATABASE_URL is not empty: it holds ${found}. A copy can only be restored into an empty database: create another database, and set DATABASE_URL to it.`,
    )
}

async function withEmptyStore<Result>(
  { config }: RestoreRequest,
  { storeId, meta }: { storeId: string; meta: CopyMeta },
  work: (store: RestoredStore) => Promise<Result>,
): Promise<Result> {
  const { clickhouseUrl, dataDir } = config
  if (clickhouseUrl === undefined) {
    // DuckDB is loaded only where it is used.
    const { withRestoredFiles } = await import('./stores/file-copies.ts')
    return await withRestoredFiles({ dataDir }, work)
  }
  const store = openClickHouse({ url: clickhouseUrl })
  try {
    const { identities, hasScans } = await readStoreIdentity(store)
    if (hasScans || identities.length > 0)
      throw new Error(
        'the ClickHouse database of CLICKHOUSE_URL is not empty: it holds the scans of an installation. Set CLICKHOUSE_URL to another database.',
      )
    try {
      return await work(await clickHouseFor(meta, store, { dataDir }))
    } catch (error) {
      await emptyScanStore(store, storeId)
      throw error
    }
  } finally {
    await store.close()
  }
}
