import { setTimeout as sleep } from 'node:timers/promises'
import type { ScanBlock } from './scan-block.ts'
import { ScanStoreUnavailable } from '../scan-store.ts'
import { hasCode, type ClickHouse } from '../store/clickhouse.ts'

const alreadyRunning = 216

/** Settings of incoming scans, which run before queries of figures. */
export const ahead = { priority: '1' }

/** Inserts the rows of a batch under its id and a token. */
export async function insertBlock(store: ClickHouse, block: ScanBlock, token: string): Promise<void> {
  await store.insert('scans', block.columns, block.native(), {
    format: 'Native',
    queryId: block.batchId,
    deadlineMs: 60_000,
    settings: {
      async_insert: 0,
      // One block, written by one thread, is one part of the table: all or nothing.
      max_insert_threads: '1',
      insert_deduplication_token: token,
    },
  })
}

/** Runs a query under the id of a batch, once no insert of it runs on that server. */
export async function selectUnderId<Row>(
  store: ClickHouse,
  { sql, batchId, waitMs }: { sql: string; batchId: string; waitMs: number },
): Promise<Row[]> {
  const waitUntilMs = Date.now() + waitMs
  for (;;) {
    try {
      return await store.select<Row>(sql, { batchId }, { queryId: batchId, settings: ahead })
    } catch (error) {
      if (!hasCode(error, alreadyRunning)) throw error
      if (Date.now() > waitUntilMs) throw new ScanStoreUnavailable(error)
      await sleep(100)
    }
  }
}
