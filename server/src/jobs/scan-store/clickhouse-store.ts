import { migrateScanStore, refuseUnusable } from '../../analytics/store/migrations.ts'
import { readDetachedParts } from '../../analytics/store/part-health.ts'
import { clickHouseIngester } from '../../ingest/clickhouse/clickhouse-ingester.ts'
import { createScanImporter } from '../../ingest/import-scans.ts'
import { recountRestored } from '../../ingest/recount-restored.ts'
import { deleteOldScans } from '../../ingest/clickhouse/delete-old-scans.ts'
import { createRetentionGrace } from '../../ingest/retention.ts'
import { verifyAndClaimStore } from '../../product/installation/identity.ts'
import { openClickHouseStore } from '../../product/installation/open-store.ts'
import type { Chore } from '../start-jobs.ts'
import { addFileMetrics } from './file-metrics.ts'
import { startRewrite } from './rewrite-scan-store.ts'
import { createStoreCheck, type StoreCheck } from './store-check.ts'
import type { WorkerStore, WorkerStoreParts } from './worker-store.ts'

/** Returns the scan store of a worker on ClickHouse servers. */
export function clickHouseStore(parts: WorkerStoreParts, url: string): WorkerStore {
  const { db } = parts
  const scans = openClickHouseStore(url)
  const { server: store } = scans
  const check = createStoreCheck({ store, ...parts })
  return {
    scans,
    hits: createScanImporter(store),
    ingester: clickHouseIngester({ store }),
    folder: parts.config.dataDir,
    prepare: async (onUpgrade) => {
      await refuseUnusable(store)
      await verifyAndClaimStore(store, db)
      onUpgrade()
      await migrateScanStore(store)
    },
    check,
    detachedParts: () => readDetachedParts(store),
    startRewrite: () => {
      addFileMetrics(parts.metrics, () => undefined)
      return startRewrite(store, parts)
    },
    chores: choresOf(parts, { store, check }),
    close: () => store.close(),
  }
}

function choresOf(
  { config: { retentionDays }, log, signal }: WorkerStoreParts,
  { store, check }: { store: ReturnType<typeof openClickHouseStore>['server']; check: StoreCheck },
): Chore[] {
  const grace = createRetentionGrace({ log })
  return [
    {
      name: 'deleteOldScans',
      takesTurns: true,
      // There is work only once a day, but checking costs nothing.
      everyMs: 60_000,
      run: async (of, nowMs) => deleteOldScans(of, nowMs, { store, retentionDays, signal, grace }),
    },
    { name: 'recountRestored', everyMs: 1_000, run: (of) => recountRestored(of, store) },
    { name: 'checkScanStore', everyMs: 60_000, run: check.run },
  ]
}
