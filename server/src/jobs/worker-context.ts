import type { ClickHouseScans } from '../analytics/clickhouse-scans.ts'
import type { Database } from '../db/database.ts'
import type { Log } from '../log.ts'
import type { Config } from '../settings/settings.ts'
import type { StoreCheck } from './store-check.ts'

/** The parts of a worker that its jobs and chores share. */
export type WorkerContext = {
  db: Database
  config: Config
  /** It may be away: imports need no scan store. */
  store: ClickHouseScans
  storeCheck: StoreCheck
  /**
   * Returns when the first scan since the start came from outside, in milliseconds since 1970;
   * undefined if none did.
   */
  outsideAtMs: () => number | undefined
  log: Log
  /** Aborted when the worker stops. */
  signal: AbortSignal
}
