import type { ScanStore } from '../../analytics/scan-store.ts'
import type { TroubledPart } from '../../analytics/store/part-health.ts'
import type { Database } from '../../db/database.ts'
import type { ScanImporter } from '../../ingest/imported-hits.ts'
import type { IngestOptions } from '../../ingest/ingest.ts'
import type { Problem } from '@everscan/contract/problems/problem.ts'
import type { Log } from '../../log.ts'
import type { OwnMetrics } from '../../processes/metrics.ts'
import type { PrepareStore } from '../../product/installation/prepare-scan-store.ts'
import type { Config } from '../../settings/settings.ts'
import type { Chore } from '../start-jobs.ts'
import type { Rewrite } from './rewrite-scan-store.ts'
import type { StoreCheck } from './store-check.ts'

/** The scan store as a worker keeps it, whatever it is made of. */
export type WorkerStore = {
  scans: ScanStore
  hits: ScanImporter
  ingester: IngestOptions['ingester']
  /** The folder that its disk is watched by. */
  folder: string
  prepare: PrepareStore
  check: Pick<StoreCheck, 'brokenParts' | 'correctedScans'>
  detachedParts: () => Promise<TroubledPart[]>
  /** Begins to give old rows what this release derives from rows. */
  startRewrite: () => Rewrite
  chores: readonly Chore[]
  close: () => Promise<void>
}

/** The parts of a worker that its scan store needs. */
export type WorkerStoreParts = {
  db: Database
  config: Config
  /** Whether catalogue and store were compared since the start. */
  isCompared: () => boolean
  /** Returns why a folder of journals is not of this installation, or undefined. */
  refusalOf: (dir: string) => Problem | undefined
  /** Runs work that one machine at a time does. */
  takeTurn: (run: () => Promise<void>) => Promise<void>
  metrics: OwnMetrics
  log: Log
  /** Aborted when the worker stops. */
  signal: AbortSignal
}
