import type { ScanStore } from '../analytics/scan-store.ts'
import type { ScanImporter } from '../ingest/imported-hits.ts'
import type { Database } from '../db/database.ts'
import type { Log } from '../log.ts'
import type { Config } from '../settings/settings.ts'

/** The parts of a worker that its jobs and chores share. */
export type WorkerContext = {
  db: Database
  config: Config
  /** It may be away: imports need no scan store. */
  store: ScanStore
  /** The way of hits of imports into it. */
  hits: ScanImporter
  /**
   * Returns when the first scan since the start came from outside, in milliseconds since 1970;
   * undefined if none did.
   */
  outsideAtMs: () => number | undefined
  log: Log
  /** Aborted when the worker stops. */
  signal: AbortSignal
}
