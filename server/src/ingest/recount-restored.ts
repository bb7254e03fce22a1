import type { ClickHouse } from '../analytics/store/clickhouse.ts'
import type { Database } from '../db/database.ts'
import { markRecounted, readRestoredCodes } from '../db/scans/scan-counters.ts'
import { recountCodes } from './clickhouse/recount.ts'

const codesAtOnceMax = 1_000

/**
 * Counts the scans of restored codes anew: a scan from just before the deletion may have been
 * ingested while the code had no counters. Throws if store or catalogue is unavailable; the next
 * call continues.
 */
export async function recountRestored(db: Database, store: ClickHouse): Promise<void> {
  for (;;) {
    const codes = await readRestoredCodes(db, codesAtOnceMax)
    if (codes.length === 0) return
    await store.caughtUp(() => recountCodes(db, store, codes))
    await markRecounted(db, codes)
    if (codes.length < codesAtOnceMax) return
  }
}
