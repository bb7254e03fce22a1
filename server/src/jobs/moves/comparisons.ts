import type { Config } from '../../settings/settings.ts'
import type { Database } from '../../db/database.ts'
import { openScanLookup } from '../../db/scans/scan-lookup.ts'
import { comparisonKind } from '../../catalogue/imports/comparisons.ts'
import { comparisonJobs } from './compare-job.ts'
import { createAddressLook } from './look-at-address.ts'
import { startJobs, type Jobs } from '../start-jobs.ts'
import type { Log } from '../../log.ts'
import { AnswerMemory } from '../../scan/answer-memory.ts'
import { readHead } from '../../scan/prepared-head.ts'

const pollMs = 500
/** The old service may take its time for a link. */
const leaseMs = 30_000

/**
 * Starts comparisons of moves. They wait for other services, so they take no lane from imports.
 */
export function startComparisons(db: Database, config: Config, log: Log): Jobs {
  const { look, close } = createAddressLook({ allowPrivate: config.webhookAllowPrivate })
  const kinds = {
    [comparisonKind]: comparisonJobs({ look, locationsOf: async (keys) => scanLocations(db, keys) }),
  }
  const jobs = startJobs({ db, kinds, log, pollMs, leaseMs })
  return {
    stats: jobs.stats,
    stop: async () => {
      await jobs.stop()
      close()
    },
  }
}

/** Returns where a scan of each code leads, by its key, as a front prepares the answer. */
export async function scanLocations(
  db: Database,
  keys: readonly string[],
): Promise<Map<string, string | undefined>> {
  const lookup = openScanLookup(db)
  // No visitor asks, so splits give their first arm.
  const answers = new AnswerMemory(4, { siteHeaders: [], createSplit: () => () => 0 })
  try {
    const locations = new Map<string, string | undefined>()
    for (const key of keys) {
      const { reply, access } = answers.prepare(await lookup.lookup(key))
      const isRedirect = access === undefined && typeof reply === 'object' && 'head' in reply
      locations.set(key, isRedirect ? locationIn(reply.head) : undefined)
    }
    return locations
  } finally {
    await lookup.close()
  }
}

function locationIn(head: string): string | undefined {
  const { headers } = readHead(head)
  const at = headers.findIndex((name) => name.toLowerCase() === 'location')
  return at < 0 ? undefined : headers[at + 1]
}
