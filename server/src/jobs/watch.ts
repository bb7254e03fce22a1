import { join } from 'node:path'
import type { Problem } from '@everscan/contract/problems/problem.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import type { TroubledPart } from '../analytics/store/part-health.ts'
import type { WorkerStore } from './scan-store/worker-store.ts'
import { watchCopies } from './copies/copies.ts'
import { createLagReader, type IngestLag } from '../ingest/ingest-lag.ts'
import type { Config } from '../settings/settings.ts'
import type { Database } from '../db/database.ts'
import { errorMessage } from '../errors.ts'
import { isCountingRestored, setRestoredAt } from '../db/installation.ts'
import { readDueUniques } from '../db/scans/ingest-checkpoints.ts'
import { lostHits } from '../db/scans/lost-hits.ts'
import { summarizeScanLosses, type LossesSummary } from '../db/scans/scan-losses.ts'
import type { Ingest } from '../ingest/ingest.ts'
import { readQueueLengths, type QueueLengths } from './queue-lengths.ts'
import type { ScheduledCopies } from './copies/scheduled-copies.ts'
import type { MachineReports } from './machine-reports.ts'
import { ownTurns } from '../turns/own-turns.ts'
import { turnFigures } from '../turns/turn-figures.ts'
import type { Log } from '../log.ts'
import { diskFacts, readDiskRoom, type DiskRoom } from '../processes/disk-room.ts'
import { countText, dayText, daysBefore } from '../amounts.ts'
import { certifiedHost } from './certificates/certified-host.ts'
import { readCertificateState } from './certificates/warn-certificates.ts'
import { readBuildTimes, type GeographyBuiltMs } from '../visitors/geography/geography-age.ts'
import type { Facts } from '../problems/facts.ts'
import { judgePart, problemOf, type Part } from '../problems/parts.ts'
import type { OwnMetrics } from '../processes/metrics.ts'

/**
 * What the worker reads about the service for `/readyz` and `/metrics`.
 */
type Readings = {
  lag: IngestLag | undefined
  queues: QueueLengths | undefined
  disk: DiskRoom | undefined
  detachedParts: readonly TroubledPart[] | undefined
  geographyBuiltMs: GeographyBuiltMs
  /** Undefined: the service orders no certificates, or they were not read yet. */
  certificates: Facts['certificates'] | undefined
  lostScans: LossesSummary | undefined
  /** Whether scans of a restored catalogue are not counted yet: counters trail analytics. */
  isCountingRestored: boolean
}

export type WorkerWatch = {
  /** Refreshes the readings within the time of a report, and returns all known parts. */
  parts: () => Promise<Part[]>
}

/** A report has to be complete within a second: the next report shows readings that take longer. */
const readMsMax = 700
/** Milliseconds between two reports of this machine to the others. */
export const machineReportMs = 15_000

/**
 * Watches ingest, queues, the disk, copies, machines and the age of geography. `ingest` and
 * `scheduledCopies` return undefined until they start.
 */
export function watchWorker(
  config: Config,
  { db, store, log, metrics, machines, ...watched }: WatchedParts,
): WorkerWatch {
  const { ingest, scheduledCopies, refusalOf = () => undefined } = watched
  const readings = emptyReadings()
  const readLag = createLagReader(db, journalRootOf(config), (dir) => refusalOf(dir) === undefined)
  const copies = watchCopies(config, { db, metrics, scheduled: scheduledCopies })
  const ownParts = (): Part[] => [
    ...ingestParts(ingest(), readings),
    judgePart('lostScans', { lost: lostHits(readings.lostScans) }),
    ...diskParts(readings.disk),
    judgePart('scanParts', { detached: readings.detachedParts ?? [], broken: store.check.brokenParts }),
    ...certificateParts(readings),
  ]
  const reportMachine = async (): Promise<void> => {
    // The first report waits for the first reading.
    readings.lag ??= await readLag()
    const problem = problemOf(ownParts().find(({ ok }) => !ok))
    await machines?.refresh({ problem, waitingBytes: readings.lag.bytes })
  }
  const refreshes: Refresh[] = [
    [copies.everyMs, copies.refresh],
    ...readingRefreshes(readings, { config, db, store, ingest, readLag }),
    [machineReportMs / 2, reportMachine],
  ]
  const refreshAll = refreshes.map((refresh) => onceAtATime(refresh, log))
  addMetrics(metrics, readings, store.check)
  return {
    parts: async () => {
      await Promise.race([
        Promise.all(refreshAll.map((refresh) => refresh())),
        sleep(readMsMax, undefined, { ref: false }),
      ])
      return [...ownParts(), ...copies.parts(), ...machineParts(machines)]
    },
  }
}

function journalRootOf({ dataDir }: Config): string {
  return join(dataDir, 'journal')
}

function emptyReadings(): Readings {
  return {
    lag: undefined,
    queues: undefined,
    disk: undefined,
    detachedParts: undefined,
    geographyBuiltMs: { v4: undefined, v6: undefined },
    certificates: undefined,
    lostScans: undefined,
    isCountingRestored: false,
  }
}

/** Returns how each reading is refreshed. */
function readingRefreshes(
  readings: Readings,
  {
    config,
    db,
    store,
    ingest,
    readLag,
  }: Pick<WatchedParts, 'db' | 'store' | 'ingest'> & { config: Config; readLag: () => Promise<IngestLag> },
): Refresh[] {
  const sinceMs = Date.now()
  // Each folder may be on a separate disk.
  const folders = [config.dataDir, journalRootOf(config), store.folder]
  const readCounting = () => countsRestored(db, { ingest: ingest(), readLag, sinceMs })
  return [
    [0, async () => void (readings.lag = await readLag())],
    [5_000, async () => void (readings.lostScans = await summarizeScanLosses(db))],
    [0, async () => void (readings.isCountingRestored = await readCounting())],
    [5_000, async () => void (readings.queues = await readQueueLengths(db))],
    [30_000, async () => void (readings.detachedParts = await store.detachedParts())],
    [2_000, async () => void (readings.disk = await readDiskRoom(folders))],
    ...certificateRefreshes(config, db, (state) => (readings.certificates = state)),
    [60_000, async () => void (readings.geographyBuiltMs = await readBuildTimes(config))],
  ]
}

/** Returns what is wrong between the machines of the installation. */
function machineParts(machines: MachineReports | undefined): Part[] {
  if (machines === undefined) return []
  return [judgePart('machines', machines.facts())]
}

type WatchedParts = {
  db: Database
  store: Pick<WorkerStore, 'folder' | 'check' | 'detachedParts'>
  log: Log
  metrics: OwnMetrics
  ingest: () => Ingest | undefined
  scheduledCopies: () => ScheduledCopies | undefined
  /** Undefined in tests of one process. */
  machines?: MachineReports
  /** See `IngestOptions`. */
  refusalOf?: (dir: string) => Problem | undefined
}

/** A function that refreshes a reading, and the minimum time between two calls. */
type Refresh = readonly [everyMs: number, refresh: () => Promise<void>]

/**
 * Runs a refresh once at a time: calls during a hanging refresh wait for it. A refresh that fails
 * leaves the former reading.
 */
function onceAtATime([everyMs, refresh]: Refresh, log: Log): () => Promise<void> {
  let underWay: Promise<void> | undefined
  let againAtMs = 0
  const refreshOnce = async (): Promise<void> => {
    try {
      await refresh()
      againAtMs = performance.now() + everyMs
    } catch (error) {
      log.debug({ error: errorMessage(error) }, 'watching')
    } finally {
      underWay = undefined
    }
  }
  return async () => {
    if (performance.now() >= againAtMs) underWay ??= refreshOnce()
    await underWay
  }
}

function addMetrics(metrics: OwnMetrics, readings: Readings, check: WorkerStore['check']): void {
  metrics.figures({
    counters_corrected_scans_total: [
      'Scans by which counters of codes differed from the scan store, and were corrected',
      () => check.correctedScans,
    ],
  })
  metrics.labelled(turnFigures([ownTurns.mails]))
  metrics.labelled({
    ingest_lag_seconds: [
      'Age of the oldest scan that is not in the scan store yet; 0 if none waits',
      () => [[{}, readings.lag === undefined ? undefined : lagMs(readings.lag) / 1000]],
    ],
    ingest_lag_bytes: ['Bytes of the journals that are not ingested yet', () => [[{}, readings.lag?.bytes]]],
    queue_length: [
      'Waiting entries in the catalogue, of all machines: imports, webhook deliveries, event pages',
      () => [
        [{ queue: 'imports' }, readings.queues?.imports],
        [{ queue: 'webhook_deliveries' }, readings.queues?.webhookDeliveries],
        [{ queue: 'event_pages' }, readings.queues?.eventPages],
      ],
    ],
    disk_free_bytes: ['Free space on the fullest disk of DATA_DIR', () => [[{}, readings.disk?.freeBytes]]],
    disk_size_bytes: ['Size of that disk', () => [[{}, readings.disk?.sizeBytes]]],
    lost_hits: [
      'Hits that were counted and are lost, until the operator accepts the loss',
      () => [[{}, readings.lostScans?.hits ?? 0]],
    ],
    scan_store_troubled_parts: [
      'Parts of the scan store that are detached, or that cannot be read',
      () => [
        [{ state: 'detached' }, readings.detachedParts?.length],
        [{ state: 'broken' }, check.brokenParts.length],
      ],
    ],
    certificates_failing: [
      'Certificates in use that could not be renewed, if the service orders certificates',
      () => [[{}, readings.certificates?.failing.length]],
    ],
    certificate_failing_expires_timestamp_seconds: [
      'When the first of them ends, in seconds since 1970',
      () => [[{}, seconds(readings.certificates?.failing[0]?.expiresAtMs)]],
    ],
    geography_built_timestamp_seconds: [
      'When the geography data was built, in seconds since 1970, by address family',
      () => [
        [{ family: 'ipv4' }, seconds(readings.geographyBuiltMs.v4)],
        [{ family: 'ipv6' }, seconds(readings.geographyBuiltMs.v6)],
      ],
    ],
    geography_age_seconds: [
      'Age of the geography data, by address family',
      () => [
        [{ family: 'ipv4' }, ageSeconds(readings.geographyBuiltMs.v4)],
        [{ family: 'ipv6' }, ageSeconds(readings.geographyBuiltMs.v6)],
      ],
    ],
  })
}

function seconds(ms: number | undefined): number | undefined {
  return ms === undefined ? undefined : ms / 1000
}

function ageSeconds(builtMs: number | undefined): number | undefined {
  return builtMs === undefined ? undefined : (Date.now() - builtMs) / 1000
}

/**
 * Returns the age of the oldest waiting scan now, so that the lag grows even while no reading
 * succeeds.
 */
function lagMs({ oldestMs }: IngestLag): number {
  return oldestMs === undefined ? 0 : Math.max(0, Date.now() - oldestMs)
}

/**
 * Whether counters of a restored catalogue may still trail analytics. Records the end of that: the
 * stores were compared, all frames are ingested, and unique scans are counted.
 */
async function countsRestored(
  db: Database,
  {
    ingest,
    readLag,
    sinceMs,
  }: { ingest: Ingest | undefined; readLag: () => Promise<IngestLag>; sinceMs: number },
): Promise<boolean> {
  if (!(await isCountingRestored(db))) return false
  // Scans of this moment arrive all the time.
  if (ingest?.isChecked !== true || ((await readLag()).oldestMs ?? sinceMs) < sinceMs) return true
  if ((await readDueUniques(db, 1)).length > 0) return true
  await setRestoredAt(db, null)
  return false
}

function ingestParts(ingest: Ingest | undefined, { lag, geographyBuiltMs, ...readings }: Readings): Part[] {
  const isStarted = ingest !== undefined
  const told = ingest?.stats.failing?.told ?? ingest?.stats.refusedFolder
  const [lateMs, lateBytes] = lag === undefined ? [0, 0] : [lagMs(lag), lag.bytes]
  const ofIngest = judgePart('ingest', {
    isStarted,
    told,
    lateMs,
    lateBytes,
    isCountingRestored: readings.isCountingRestored,
  })
  if (!isStarted) return [ofIngest]
  return [ofIngest, geographyPart(ingest.geography.problems[0], geographyBuiltMs)]
}

/** Old places do not make the part down: without a problem it tells the date of the data. */
function geographyPart(told: Problem | undefined, { v4, v6 }: GeographyBuiltMs): Part {
  const nowMs = Date.now()
  const oldestMs = Math.min(v4 ?? Infinity, v6 ?? Infinity)
  const builtMs = oldestMs === Infinity ? undefined : oldestMs
  return judgePart('geography', { told, builtMs, nowMs }, { note: ageText(builtMs, nowMs) })
}

function ageText(builtMs: number | undefined, nowMs: number): string | undefined {
  if (builtMs === undefined) return undefined
  return `the data is of ${dayText(builtMs)}, ${countText(daysBefore(builtMs, nowMs), 'day')} old`
}

/** Returns nothing if the service orders no certificates. */
function certificateRefreshes(
  { httpsPort, tlsCert, publicUrl }: Config,
  db: Database,
  keep: (state: Facts['certificates']) => void,
): Refresh[] {
  if (httpsPort === undefined || tlsCert !== undefined) return []
  const publicHost = certifiedHost(publicUrl)
  return [[5_000, async () => keep(await readCertificateState(db, publicHost))]]
}

function certificateParts({ certificates }: Readings): Part[] {
  return certificates === undefined ? [] : [judgePart('certificates', certificates)]
}

function diskParts(disk: DiskRoom | undefined): Part[] {
  return disk === undefined ? [] : [judgePart('disk', diskFacts(disk))]
}
