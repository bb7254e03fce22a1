import { readdirSync, rmSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { readStoreIdentity } from '../analytics/store/store-identity.ts'
import { emptyScanStore } from '../analytics/store/empty-store.ts'
import { openScanStore, type ScanStore } from '../analytics/store/store.ts'
import type { Config } from '../config.ts'
import { whatIsIn } from '../db/dump/load-catalogue.ts'
import type { Installation } from '../db/installation.ts'
import { readInstallation } from '../db/installation.ts'
import { openDatabase } from '../db/open-database.ts'
import { peekCatalogue } from '../db/peek-installation.ts'
import type { Log } from '../log.ts'
import { lockDataDir, writeSecret, writeVisitorKey } from '../processes/data-dir.ts'
import { foreignJournals } from '../processes/journal-owners.ts'
import { socketPath } from '../processes/listening.ts'
import {
  readRestoreMarker,
  removeRestoreMarker,
  restoreMarkerName,
  writeRestoreMarker,
} from '../processes/restore-marker.ts'
import { checkCopyFile } from './copy-file-reader.ts'
import type { CopyStep } from './make-copy.ts'
import type { CopyManifest, CopyMeta } from './manifest.ts'
import { readKeys, readMeta } from './read-meta.ts'
import { nameDataDir, newStoreId, restoreCopy, type RestoreTarget } from './restore-copy.ts'
import { refuseLittleRoom } from './room.ts'
import { settleKeys, type SettledKeys } from './settle-keys.ts'
import { restoredShare } from './verify-copy.ts'
import { withEngine } from './with-scan-store.ts'

export type RestoreRequest = {
  config: Config
  path: string
  passphrase: string | undefined
  /** The operator's own: what a copy without a passphrase does not hold. */
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
  /** Absent when an earlier restore was complete but for its last step. */
  manifest: CopyManifest | undefined
  keys: SettledKeys
}

/**
 * Restores a copy into the data directory, database and scan store of the settings, all of which must be empty. What is cut off
 * leaves nothing with which a service would start; the next restore takes it away. Throws `CopyProblem` for the file and an Error
 * with a sentence for everything that is not as it has to be.
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
    const finished = await takeAwayCutOff(request)
    if (finished !== undefined) {
      complete(request, finished, keys)
      return { meta, manifest: undefined, keys }
    }
    refuseFullDataDir(dataDir, path)
    await refuseFullDatabase(request)
    await refuseLittleRoom(dataDir, payloadBytes * restoredShare)
    return { ...(await restoreInto(request, meta, keys)), keys }
  } finally {
    lock.release()
  }
}

async function restoreInto(
  request: RestoreRequest,
  meta: CopyMeta,
  keys: SettledKeys,
): Promise<{ meta: CopyMeta; manifest: CopyManifest }> {
  const { config, path, passphrase, log, nowMs, signal, progress } = request
  const { dataDir, databaseUrl } = config
  const storeKind = config.clickhouseUrl === undefined ? 'embedded' : 'server'
  const storeId = newStoreId(storeKind)
  return withEmptyStore(request, async (store) => {
    writeRestoreMarker(dataDir, { storeId })
    try {
      const target: RestoreTarget = { dataDir, databaseUrl, store, storeKind, log }
      const { manifest } = await restoreCopy(target, {
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
      return { meta, manifest }
    } catch (error) {
      if (storeKind === 'server') await emptyScanStore(store, storeId)
      throw error
    }
  }).catch((error: unknown) => {
    removeRestored(dataDir)
    removeRestoreMarker(dataDir)
    throw error
  })
}

/** Keys and identity: what a start looks for comes last. */
function complete(
  { config }: RestoreRequest,
  installation: Installation,
  { secret, visitorKey }: SettledKeys,
): void {
  const { dataDir, clickhouseUrl } = config
  if (secret !== undefined && config.secret === undefined) writeSecret(dataDir, secret)
  if (visitorKey !== undefined && config.visitorKey === undefined) writeVisitorKey(dataDir, visitorKey)
  nameDataDir(dataDir, installation, clickhouseUrl === undefined ? 'embedded' : 'server')
  removeRestoreMarker(dataDir)
}

/**
 * What an earlier restore that was killed left: the installation when it was complete but for its last step, and otherwise nothing, as it
 * is taken away.
 */
async function takeAwayCutOff({ config, log }: RestoreRequest): Promise<Installation | undefined> {
  const { dataDir, databaseUrl, clickhouseUrl } = config
  const marker = readRestoreMarker(dataDir)
  if (marker === undefined) return undefined
  const found = await peekCatalogue({ databaseUrl, dataDir, log })
  if (found.state === 'named' && found.installation.scanStore === marker.storeId) return found.installation
  removeRestored(dataDir)
  if (clickhouseUrl !== undefined) {
    const store = openScanStore({ url: clickhouseUrl })
    await emptyScanStore(store, marker.storeId)
    await store.close()
  }
  return undefined
}

function refuseForeignFolders(journalRoot: string | undefined, { installation }: CopyMeta): void {
  const [foreign] = journalRoot === undefined ? [] : foreignJournals(journalRoot, installation)
  if (foreign === undefined) return
  throw new Error(
    `the journals in ${foreign.dir} belong to installation ${foreign.installation}, and the copy to ${installation}: give --journal the folder of the latter.`,
  )
}

/** What a restore makes in a data directory. */
const restoredNames = ['journal', 'scans', 'secret', 'visitor-key', 'installation.json']

function removeRestored(dataDir: string): void {
  const catalogues = readdirSync(dataDir).filter((name) => name.startsWith('catalogue.sqlite'))
  for (const name of [...restoredNames, ...catalogues])
    rmSync(join(dataDir, name), { recursive: true, force: true })
}

const notOurs = new Set(['run', 'lost+found', restoreMarkerName])

function refuseFullDataDir(dataDir: string, path: string): void {
  const copy = dirname(resolve(path)) === dataDir ? basename(path) : undefined
  const found = readdirSync(dataDir).filter((name) => !notOurs.has(name) && name !== copy)
  if (found.length > 0)
    throw new Error(
      `DATA_DIR ${dataDir} is not empty: it holds ${listed(found)}. A copy is restored into an empty one: set another DATA_DIR, or move these away.`,
    )
}

function listed(names: readonly string[]): string {
  const shown = names.toSorted().slice(0, 5).join(', ')
  return names.length > 5 ? `${shown} and ${names.length - 5} more` : shown
}

async function refuseFullDatabase({ config, log }: RestoreRequest): Promise<void> {
  const { databaseUrl, dataDir } = config
  if (databaseUrl === undefined) return
  const found = await whatIsIn({ databaseUrl, dataDir, log })
  if (found !== undefined)
    throw new Error(
      `the database of DATABASE_URL is not empty: it holds ${found}. A copy is restored into an empty one: create another database and set DATABASE_URL to it.`,
    )
}

async function withEmptyStore<Result>(
  { config }: RestoreRequest,
  work: (store: ScanStore) => Promise<Result>,
): Promise<Result> {
  const { clickhouseUrl, dataDir, environment } = config
  if (clickhouseUrl === undefined) {
    const embedded = openScanStore({ socketPath: socketPath(dataDir, 'engine') })
    try {
      return await withEngine({ dataDir, environment }, () => work(embedded))
    } finally {
      await embedded.close()
    }
  }
  const store = openScanStore({ url: clickhouseUrl })
  try {
    const { identities, hasScans } = await readStoreIdentity(store)
    if (hasScans || identities.length > 0)
      throw new Error(
        'the ClickHouse database of CLICKHOUSE_URL is not empty: it holds the scans of an installation. Set CLICKHOUSE_URL to another database.',
      )
    return await work(store)
  } finally {
    await store.close()
  }
}
