import { join } from 'node:path'
import { findFirstScans } from '../analytics/figures/old-scans.ts'
import { figuresOfCodes } from '../analytics/copies/code-figures.ts'
import { moveScans } from '../analytics/copies/moved-scans.ts'
import { migrateScanStore, refuseUnusable } from '../analytics/store/migrations.ts'
import { claimStore, readStoreIdentity } from '../analytics/store/store-identity.ts'
import { openClickHouse } from '../analytics/store/open-clickhouse.ts'
import { ScanStoreUnavailable } from '../analytics/scan-store.ts'
import type { ClickHouse } from '../analytics/store/clickhouse.ts'
import { forgetUnfinishedCopies } from '../catalogue/installation/copies.ts'
import { placeOf } from '../db/database-problems.ts'
import type { CataloguePlace } from '../db/dump/catalogue-snapshot.ts'
import { whatIsIn } from '../db/dump/load-catalogue.ts'
import { addInstallationNote, movingStore, readInstallation, updateInstallation } from '../db/installation.ts'
import { readSchemaState } from '../db/migrations/schema-state.ts'
import { openDatabase } from '../db/open-database.ts'
import { peekCatalogue } from '../db/peek-installation.ts'
import { forgetSegments } from '../db/scans/scan-segments.ts'
import { errorMessage, FatalError } from '../errors.ts'
import type { Log } from '../log.ts'
import { lockDataDir, tryLock, type Lock } from '../processes/data-dir.ts'
import { readIdentity } from '../processes/identity-file.ts'
import {
  readMoveMarker,
  removeMoveMarker,
  writeMoveMarker,
  type MoveMarker,
} from '../processes/move-marker.ts'
import type { Config } from '../settings/settings.ts'
import { compareFigures, type ComparedFigures } from './compare-figures.ts'
import type { CopyStep } from './make-copy.ts'
import { compareCatalogues, moveCatalogue } from './move-catalogue.ts'
import { newStoreId } from './restore-copy.ts'
import { refuseEmbedded } from './with-scan-store.ts'
import { withMovedScans, type MovedStore } from './stores/moved-stores.ts'

export type MoveRequest = {
  /** The data directory to leave, and the addresses of the servers. */
  config: Config & { databaseUrl: string; clickhouseUrl: string }
  log: Log
  nowMs: number
  progress?: (step: CopyStep) => void
  signal: AbortSignal
}

export type MovedInstallation = {
  scans: number
  rows: ReadonlyMap<string, number>
  figures: Omit<ComparedFigures, 'differences'>
}

/**
 * Copies scans of a running service to the new scan store. The move that follows, with the service
 * stopped, then has to copy only what came since. Returns the number of scans that are there.
 */
export async function copyScansAhead(request: MoveRequest): Promise<number> {
  return withMoveLock(request, async () => {
    const marker = await begin(request)
    return withMovedScans({ config: request.config, source: sourceOf(request) }, (from) =>
      withTarget(request, marker, async (to) => {
        const { rows } = await scansTo(to, from, { request, marker })
        return rows
      }),
    )
  })
}

/**
 * Moves the installation from the files of its data directory to PostgreSQL and ClickHouse, while
 * no service runs. Each step can be repeated after an interruption, and none changes the files. The
 * last one marks the directory, so that no service starts with the files. Returns undefined if an
 * earlier move lacked only that. Throws an Error with a sentence; then the files are still the
 * installation.
 */
export async function moveInstallation(request: MoveRequest): Promise<MovedInstallation | undefined> {
  const { config } = request
  return withMoveLock(request, async () => {
    const lock = await lockStopped(config.dataDir)
    try {
      const marker = await begin(request)
      const isMoved = marker.state === 'moved'
      const moved = isMoved
        ? undefined
        : await withMovedScans({ config, source: sourceOf(request) }, (from) =>
            moveStopped(request, marker, from),
          )
      await commit(request, marker)
      return moved
    } finally {
      lock.release()
    }
  })
}

/**
 * Lets the service start with the files of the data directory again, as they were when the
 * installation was moved. Throws an Error with a sentence if it was not moved, or a service runs.
 */
export async function moveBack({ dataDir }: Pick<Config, 'dataDir'>): Promise<MoveMarker> {
  const lock = await lockStopped(dataDir)
  try {
    const marker = readMoveMarker(dataDir)
    if (marker?.state !== 'moved')
      throw new Error(
        `the installation of DATA_DIR ${dataDir} was not moved: start the service without DATABASE_URL and CLICKHOUSE_URL.`,
      )
    removeMoveMarker(dataDir)
    return marker
  } finally {
    lock.release()
  }
}

async function lockStopped(dataDir: string): Promise<Lock> {
  return lockDataDir(dataDir).catch((error: unknown) => {
    throw new Error(
      `this needs the service to be stopped; with --live, scans are copied while it runs. ${errorMessage(error)}`,
      { cause: error },
    )
  })
}

async function withMoveLock<Result>(
  { config: { dataDir } }: MoveRequest,
  work: () => Promise<Result>,
): Promise<Result> {
  if (readIdentity(dataDir) === undefined)
    throw new Error(
      `DATA_DIR ${dataDir} holds no installation: set DATA_DIR to that of the service, or start the service once.`,
    )
  const lock = tryLock(join(dataDir, 'run', 'move.lock'))
  if (lock === undefined) throw new Error(`another migrate-store works on DATA_DIR ${dataDir}.`)
  try {
    return await work()
  } finally {
    lock.release()
  }
}

const sourceOf = ({ config, log }: MoveRequest): CataloguePlace => ({
  databaseUrl: undefined,
  dataDir: config.dataDir,
  log,
})
const targetOf = ({ config, log }: MoveRequest): CataloguePlace => ({ ...config, log })

/** Checks both sides, and returns the marker of this move, written before anything else. */
async function begin(request: MoveRequest): Promise<MoveMarker> {
  const { config } = request
  await refuseSource(request)
  const { server, database } = placeOf(config.databaseUrl)
  const known = readMoveMarker(config.dataDir)
  const marker: MoveMarker = known ?? {
    state: 'begun',
    storeId: newStoreId('server'),
    catalogue: `"${database}" at ${server}`,
  }
  await refuseTargets(request, marker)
  if (known === undefined) writeMoveMarker(config.dataDir, marker)
  return marker
}

async function refuseSource(request: MoveRequest): Promise<void> {
  const { dataDir } = request.config
  const source = await peekCatalogue(sourceOf(request))
  if (source.state !== 'named')
    throw new Error(
      `DATA_DIR ${dataDir} has no catalogue of this release: set DATA_DIR to that of the service, or start the service once without DATABASE_URL.`,
    )
  refuseEmbedded(dataDir)
  if (source.installation.scanStore?.startsWith('files:') !== true)
    throw new Error(
      `the scans of DATA_DIR ${dataDir} are not in that directory: only a store of its own can be moved.`,
    )
  const db = await openDatabase({ ...sourceOf(request), role: 'reader' })
  const state = await readSchemaState(db)
  await db.close()
  if (state !== 'READY')
    throw new Error(
      'the catalogue is of an older release. Start the service once to upgrade it, without DATABASE_URL: ./everscan start.',
    )
}

/** Refuses servers that hold anything but what this move brought there. */
async function refuseTargets(request: MoveRequest, { storeId, catalogue }: MoveMarker): Promise<void> {
  const moved = await movedTo(request)
  if (moved === storeId)
    throw new Error(
      `the installation is already in the database ${catalogue}: start the service with DATABASE_URL and CLICKHOUSE_URL.`,
    )
  const found = moved === movingStore(storeId) ? undefined : await whatIsIn(targetOf(request))
  if (found !== undefined)
    throw new Error(
      `the database of DATABASE_URL is not empty: it holds ${found}. Create another database, and set DATABASE_URL to it.`,
    )
  const store = openClickHouse({ url: request.config.clickhouseUrl })
  try {
    await refuseUnusable(store).catch((error: unknown) => {
      if (!(error instanceof ScanStoreUnavailable)) throw error
      throw new Error(
        'the ClickHouse server of CLICKHOUSE_URL does not answer: start it, or correct the setting.',
        { cause: error },
      )
    })
    const { identities, hasScans } = await readStoreIdentity(store)
    const isOwn = identities.some((one) => one.store === storeId)
    if (!isOwn && (hasScans || identities.length > 0))
      throw new Error(
        'the ClickHouse database of CLICKHOUSE_URL is not empty: it holds scans that this move did not bring there. Set CLICKHOUSE_URL to another database.',
      )
  } finally {
    await store.close()
  }
}

/** Returns the scan store that the catalogue on the server names; undefined if there is none. */
async function movedTo(request: MoveRequest): Promise<string | undefined> {
  const found = await peekCatalogue(targetOf(request))
  return found.state === 'named' ? (found.installation.scanStore ?? '') : undefined
}

async function withTarget<Result>(
  { config, log }: MoveRequest,
  { storeId }: MoveMarker,
  work: (to: ClickHouse) => Promise<Result>,
): Promise<Result> {
  const to = openClickHouse({ url: config.clickhouseUrl })
  try {
    await migrateScanStore(to)
    const db = await openDatabase({ databaseUrl: undefined, dataDir: config.dataDir, role: 'reader', log })
    const installation = await readInstallation(db)
    await db.close()
    const { identities } = await readStoreIdentity(to)
    if (identities.length === 0)
      await claimStore(to, { installation: installation?.id ?? '', store: storeId })
    return await work(to)
  } finally {
    await to.close()
  }
}

function scansTo(
  to: ClickHouse,
  from: MovedStore,
  { request: { progress, signal }, marker }: { request: MoveRequest; marker: MoveMarker },
): ReturnType<typeof moveScans> {
  return moveScans(from.scans, to, {
    storeId: marker.storeId,
    progress: (done, of) => progress?.({ doing: 'scans', done, of }),
    signal,
  })
}

async function moveStopped(
  request: MoveRequest,
  marker: MoveMarker,
  from: MovedStore,
): Promise<MovedInstallation> {
  return await withTarget(request, marker, async (to) => {
    const { rows: scans, differing } = await scansTo(to, from, { request, marker })
    if (differing.length > 0) throw differences('scans', differing)
    const figures = await requireFigures(from, to, request)
    return { scans, rows: await catalogueOnServer(request, marker), figures }
  })
}

/** Throws an Error if figures differ even after first scans were derived from the scans again. */
async function requireFigures(
  from: MovedStore,
  to: ClickHouse,
  { progress, signal }: MoveRequest,
): Promise<ComparedFigures> {
  const compare = (): Promise<ComparedFigures> =>
    compareFigures(from.figures(), figuresOfCodes(to), {
      progress: (done) => progress?.({ doing: 'figures', done }),
      signal,
    })
  const first = await compare()
  if (first.differences.length === 0) return first
  // An insert that was killed may lack its first scans, and emptied months leave theirs.
  await to.command('/* analytics.moveScans */ truncate table first_scans')
  await findFirstScans(to, signal)
  const second = await compare()
  if (second.differences.length > 0) throw differences('figures', second.differences)
  return second
}

/** Loads the catalogue unless an interrupted move did, and compares it with the files. */
async function catalogueOnServer(
  request: MoveRequest,
  { storeId }: MoveMarker,
): Promise<ReadonlyMap<string, number>> {
  const { nowMs, progress, signal } = request
  const places = { from: sourceOf(request), to: targetOf(request) }
  let rows: ReadonlyMap<string, number> = new Map()
  if ((await movedTo(request)) === undefined)
    rows = await moveCatalogue(places, {
      amend: async (db) => {
        await forgetUnfinishedCopies(db)
        await forgetSegments(db)
        await updateInstallation(db, { scanStore: movingStore(storeId) })
        await addInstallationNote(db, { kind: 'moved', detail: {} }, nowMs)
      },
      ...(progress !== undefined && { progress }),
      signal,
    })
  const found = await compareCatalogues(places)
  if (found.length > 0)
    throw new FatalError(
      `the database of DATABASE_URL differs from the catalogue in DATA_DIR: ${found.slice(0, 5).join('; ')}. ` +
        'If the service ran since an earlier migrate-store was interrupted, that is why: create another empty database, set DATABASE_URL to it, and run this again.',
    )
  return rows
}

/** From here on, only the servers are the installation. */
async function commit(request: MoveRequest, marker: MoveMarker): Promise<void> {
  const { config, log } = request
  writeMoveMarker(config.dataDir, { ...marker, state: 'moved' })
  const db = await openDatabase({ ...config, role: 'writer', log })
  try {
    await updateInstallation(db, { scanStore: marker.storeId })
  } finally {
    await db.close()
  }
}

function differences(what: string, found: readonly string[]): Error {
  return new Error(
    `${what} on the new server differ from those in DATA_DIR, which stays the installation: ${found.join('; ')}.`,
  )
}
