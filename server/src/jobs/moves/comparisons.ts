import type { Config } from '../../settings/settings.ts'
import type { Database } from '../../db/database.ts'
import { comparisonKind } from '../../catalogue/imports/comparisons.ts'
import { comparisonJobs } from './compare-job.ts'
import { createAddressLook } from './look-at-address.ts'
import { startJobs, type Jobs } from '../start-jobs.ts'
import type { Log } from '../../log.ts'

const pollMs = 500
/** The old service may take its time for a link. */
const leaseMs = 30_000

/**
 * Starts comparisons of moves. They wait for other services, so they take no lane from imports.
 */
export function startComparisons(db: Database, config: Config, log: Log): Jobs {
  const { look, close } = createAddressLook({ allowPrivate: config.webhookAllowPrivate })
  // Answers of fronts take memory, which few services need in a worker.
  const locationsOf = async (keys: readonly string[]) =>
    (await import('./scan-locations.ts')).scanLocations(db, keys)
  const kinds = { [comparisonKind]: comparisonJobs({ look, locationsOf }) }
  const jobs = startJobs({ db, kinds, log, pollMs, leaseMs })
  return {
    stats: jobs.stats,
    stop: async () => {
      await jobs.stop()
      close()
    },
  }
}
