import type { Problem } from '@everscan/contract/problems/problem.ts'
import { join } from 'node:path'
import { recordFoundScans } from '../catalogue/ledger/system-entries.ts'
import { isShared, type Database } from '../db/database.ts'
import { openDatabase } from '../db/open-database.ts'
import { startIngest, type Ingest, type IngestOptions } from '../ingest/ingest.ts'
import { startCopies } from '../jobs/copies/copies.ts'
import type { ScheduledCopies } from '../jobs/copies/scheduled-copies.ts'
import { jobKindNames } from '../jobs/job-kind-names.ts'
import { listChores } from '../jobs/list-chores.ts'
import { createMachineReports, machineName, type MachineReports } from '../jobs/machine-reports.ts'
import { startComparisons } from '../jobs/moves/comparisons.ts'
import { turnMs } from '../jobs/scan-store/rewrite-scan-store.ts'
import type { WorkerStore, WorkerStoreParts } from '../jobs/scan-store/worker-store.ts'
import { loadedLater, startJobs } from '../jobs/start-jobs.ts'
import { inTurn } from '../jobs/turns.ts'
import { machineReportMs, watchWorker } from '../jobs/watch.ts'
import { startWebhooks } from '../jobs/webhooks/start-webhooks.ts'
import type { Log } from '../log.ts'
import { joinMain } from '../processes/child.ts'
import { giveBackIdleMemory } from '../processes/memory/idle-memory.ts'
import { readIdentity } from '../processes/identity-file.ts'
import { journalRefusal } from '../processes/journal-owners.ts'
import { machineSettings } from '../processes/machine-settings.ts'
import { judgePart, type Part } from '../problems/parts.ts'
import { createMetrics } from '../processes/metrics.ts'
import { handleOlderCatalogue, rememberMachineName, saveKnownKeys } from '../product/installation/identity.ts'
import { prepareScanStore, type ScanStoreState } from '../product/installation/prepare-scan-store.ts'
import { release } from '../release.ts'
import type { Config } from '../settings/settings.ts'
import { addWorkerMetrics } from '../jobs/worker-metrics.ts'

/** The parts of a worker that start once the scan store is prepared. */
type LateParts = { ingest?: Ingest; scheduledCopies?: ScheduledCopies | undefined }

/** Runs `worker`: ingests journals into the scan store, and runs imports, webhooks and chores. */
export async function runWorker(config: Config, index: number, log: Log): Promise<void> {
  const { dataDir, databaseUrl, databaseConnections: connectionsMax } = config
  const db = await openDatabase({ databaseUrl, dataDir, role: 'writer', connectionsMax, log })
  const metrics = createMetrics(`worker-${index}`)
  const stopping = new AbortController()
  const { signal } = stopping
  const late: LateParts = {}
  const isCompared = () => late.ingest?.isChecked === true
  const refusalOf = journalRefuser(dataDir)
  const deliveries = startWebhooks(db, config, log)
  const outsideAtMs = () => late.ingest?.stats.outsideAtMs
  const name = machineName(dataDir)
  const machine = isShared(db) ? name : undefined
  const takeTurn = machine === undefined ? runAlone : turnTaker(db, machine)
  const store = await openWorkerStore({ db, config, isCompared, refusalOf, takeTurn, metrics, log, signal })
  const context = { db, config, store: store.scans, hits: store.hits, outsideAtMs, log, signal }
  const chores = await listChores(context, store.chores)
  const kinds = loadedLater(jobKindNames, async () =>
    (await import('../jobs/job-kinds.ts')).jobKinds(context),
  )
  const jobs = startJobs({ db, kinds, chores, machine, log })
  const comparisons = startComparisons(db, config, log)
  const machines = reportMachine(db, config, name)
  const [ingest, scheduledCopies] = [() => late.ingest, () => late.scheduledCopies]
  const watched = { db, machines, store, log, metrics, ingest, scheduledCopies, refusalOf }
  const watch = watchWorker(config, watched)
  const rewrite = store.startRewrite()
  const state: ScanStoreState = { told: undefined }
  const child = joinMain('worker', log, {
    report: async () => ({
      parts: [...storeParts(state), ...rewrite.parts(), ...(await watch.parts())],
      metrics: await metrics.collect(),
    }),
    stop: async () => {
      stopping.abort()
      clearInterval(reports)
      await Promise.all([jobs.stop(), comparisons.stop(), deliveries.stop(), late.scheduledCopies?.stop()])
      await Promise.all([late.ingest?.stop(), rewrite.ended])
      await store.close()
      await leave(db, { machines, dataDir, log })
      await db.close()
    },
  })
  // Other machines learn of this one even if nobody asks for `/readyz`.
  const reports = setInterval(() => void watch.parts(), machineReportMs)
  void watch.parts()
  await prepareScanStore(store.prepare, { child, state, log, signal })
  if (signal.aborted) return
  late.ingest = await startWorkerIngest(config, { db, ingester: store.ingester, log, refusalOf })
  if (!signal.aborted) late.scheduledCopies = startCopies(config, { db, log })
  addWorkerMetrics(metrics, { ingest: late.ingest, jobs, deliveries })
  child.ready()
  giveBackIdleMemory()
}

/** Each kind of store loads its libraries only where it is used. */
async function openWorkerStore(parts: WorkerStoreParts): Promise<WorkerStore> {
  const { clickhouseUrl } = parts.config
  return clickhouseUrl === undefined
    ? (await import('../jobs/scan-store/file-store.ts')).fileStore(parts)
    : (await import('../jobs/scan-store/clickhouse-store.ts')).clickHouseStore(parts, clickhouseUrl)
}

/** Returns why this installation must not ingest a folder of journals, or undefined. */
function journalRefuser(dataDir: string): (dir: string) => Problem | undefined {
  const installation = readIdentity(dataDir)?.installation
  return (dir) => journalRefusal(dir, installation)
}

function reportMachine(db: Database, config: Config, name: string): MachineReports {
  const { dataDir } = config
  return createMachineReports(db, {
    name,
    formerName: readIdentity(dataDir)?.machineName,
    release,
    settings: machineSettings(config),
    onReported: () => rememberMachineName(dataDir, name),
  })
}

type TakeTurn = (run: () => Promise<void>) => Promise<void>

const runAlone: TakeTurn = async (run) => await run()

function turnTaker(db: Database, machine: string): TakeTurn {
  return (run) => inTurn(db, { name: 'rewriteScanStore', machine, everyMs: turnMs }, run)
}

async function startWorkerIngest(
  config: Config,
  parts: Pick<IngestOptions, 'db' | 'ingester' | 'log' | 'refusalOf'>,
): Promise<Ingest> {
  const { dataDir } = config
  const { log } = parts
  return startIngest({
    ...parts,
    config,
    journalRoot: join(dataDir, 'journal'),
    cacheDir: join(dataDir, 'cache'),
    onFound: async (tx, { unknownHits, organizations }) => {
      if (unknownHits > 0) await handleOlderCatalogue(tx, dataDir, log)
      await recordFoundScans(tx, organizations, Date.now())
    },
  })
}

/** Says that this machine was stopped in order, and saves what a restore must know. */
async function leave(
  db: Database,
  { machines, dataDir, log }: { machines: MachineReports; dataDir: string; log: Log },
): Promise<void> {
  await machines.stop().catch((error: unknown) => log.debug({ err: error }, 'leaving the machines'))
  // A key that was revoked right before the end stays revoked, whatever copy is restored then.
  await saveKnownKeys(db, dataDir).catch((error: unknown) => log.debug({ err: error }, 'remembering keys'))
}

/** Returns only why the store cannot be used: `api` reports whether it answers. */
function storeParts({ told }: ScanStoreState): Part[] {
  return told === undefined ? [] : [judgePart('scanStore', { answers: true, told })]
}
