import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../db/database.ts'
import { openBatchIds } from '../db/scans/scan-counters.ts'

/**
 * Until the batches that are open now are settled: they may have read how many unique scans there were before. A minute at most, as what they read is written
 * within seconds or read again; one of a machine that is gone stays open.
 */
export async function batchesSettled(db: Database, signal: AbortSignal): Promise<void> {
  const open = new Set(await openBatchIds(db))
  for (const endMs = Date.now() + 60_000; Date.now() < endMs; await sleep(100, undefined, { signal }))
    if (!(await openBatchIds(db)).some((id) => open.has(id))) return
}
