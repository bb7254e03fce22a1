import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../db/database.ts'
import { openBatchIds } from '../db/scans/scan-counters.ts'

/**
 * Waits until the currently open batches are settled, because they may have read earlier counts of
 * unique scans. Waits at most a minute: a batch writes its counts within seconds or reads them
 * again, and a batch of a machine that is gone stays open.
 */
export async function batchesSettled(db: Database, signal: AbortSignal): Promise<void> {
  const open = new Set(await openBatchIds(db))
  for (const endMs = Date.now() + 60_000; Date.now() < endMs; await sleep(100, undefined, { signal }))
    if (!(await openBatchIds(db)).some((id) => open.has(id))) return
}
