import { join } from 'node:path'
import type { ClickHouse } from '../../analytics/store/clickhouse.ts'
import { createHeadReporter } from '../../ingest/journal-heads.ts'
import { recountRestored as recount } from '../../ingest/recount-restored.ts'
import { createRetentionGrace, deleteOldScans as deleteOlder } from '../../ingest/retention.ts'
import type { Chore } from '../start-jobs.ts'
import type { StoreCheck } from '../store-check.ts'
import type { WorkerContext } from '../worker-context.ts'

export function deleteOldScans({
  config: { retentionDays },
  store,
  log,
  signal,
}: Pick<WorkerContext, 'config' | 'store' | 'log' | 'signal'>): Chore {
  const grace = createRetentionGrace({ log })
  return {
    name: 'deleteOldScans',
    takesTurns: true,
    // There is work only once a day, but checking costs nothing.
    everyMs: 60_000,
    run: async (db, nowMs) => deleteOlder(db, nowMs, { store: store.server, retentionDays, signal, grace }),
  }
}

/** Publishes the journal heads of this machine, for copies that other machines make. */
export function reportHeads(dataDir: string, machine: string): Chore {
  const run = createHeadReporter({ journalRoot: join(dataDir, 'journal'), machine })
  return { name: 'tellHeads', everyMs: 1000, run }
}

export function recountRestored(store: ClickHouse): Chore {
  return { name: 'recountRestored', everyMs: 1_000, run: (db) => recount(db, store) }
}

export function checkScanStore({ run }: StoreCheck): Chore {
  return { name: 'checkScanStore', everyMs: 60_000, run }
}
