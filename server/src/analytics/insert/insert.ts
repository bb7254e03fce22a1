import { firstScansOf } from '../store/first-scans.ts'
import { ahead, insertBlock, selectUnderId } from './batch-statements.ts'
import { insertReplicated, settleReplicated } from './replicated-batches.ts'
import type { ScanBlock } from './scan-block.ts'
import { replicasOf } from './store-replicas.ts'
import type { ClickHouse } from '../store/clickhouse.ts'

/** A code, as the scan store identifies it. */
export type ScannedCode = { organizationId: string; qrCodeId: string }

/**
 * Inserts a batch. Either all of its rows are stored or none. After any error the outcome is
 * unknown, and `settleBatch` determines it.
 */
export async function insertBatch(store: ClickHouse, block: ScanBlock): Promise<void> {
  const replicas = await store.replicas()
  if (replicas === undefined) await insertBlock(store, block, block.batchId)
  else await insertReplicated(replicasOf(replicas), block)
}

/**
 * Counts the stored rows of a batch once no insert of it is running. The query has the insert's own
 * query id, which the store refuses while the insert runs. On a single server, after a count of 0,
 * the rows cannot arrive any more. A replica counts once it has caught up, and may be one that an
 * insert elsewhere has yet to reach: `settleBatch` does not rely on its count.
 */
export async function countBatch(store: ClickHouse, batchId: string, waitMs = 60_000): Promise<number> {
  const sql = '/* analytics.countBatch */ select count() as rows from scans where batch_id = {batchId:String}'
  const [row] = await store.caughtUp(() => selectUnderId<{ rows: number }>(store, { sql, batchId, waitMs }))
  return row?.rows ?? 0
}

/** Derives the first scans of a batch again. Repeating the call has no effect. */
export async function refeedFirstScans(store: ClickHouse, batchId: string): Promise<void> {
  await store.command(
    `/* analytics.refeedFirstScans */ insert into first_scans ${firstScansOf('and batch_id = {batchId:String}')}`,
    { batchId },
    { settings: ahead },
  )
}

/**
 * Result of `settleBatch`: the rows were stored, were missing, or were stored in part or twice. A
 * replicated store does not tell rows that were stored a moment ago from missing ones.
 */
export type Settled = 'stored' | 'inserted' | 'replaced'

/**
 * Stores a batch whose outcome is unknown exactly once, with its first scans. When it resolves, the
 * batch is settled. When it throws, the outcome is still unknown, and the call can be repeated.
 */
export async function settleBatch(store: ClickHouse, block: ScanBlock): Promise<Settled> {
  const { batchId, rows } = block
  const replicas = await store.replicas()
  if (replicas !== undefined) {
    const settled = await settleReplicated(replicasOf(replicas), block)
    await refeedFirstScans(replicas.pinned, batchId)
    return settled
  }
  const found = await countBatch(store, batchId)
  if (found === rows) {
    await refeedFirstScans(store, batchId)
    return 'stored'
  }
  if (found > 0) await deleteBatch(store, batchId)
  // A new token: the store may remember the first insert's, although its rows were lost.
  await insertBlock(store, block, `${batchId}/${Date.now()}`)
  const stored = await countBatch(store, batchId)
  if (stored !== rows)
    throw new Error(`batch ${batchId}: expected ${rows} rows after inserting them again, got ${stored}`)
  await refeedFirstScans(store, batchId)
  return found === 0 ? 'inserted' : 'replaced'
}

/**
 * Returns the number of unique scans that each of these codes has ever had. Leaves out codes
 * without any unique scans.
 */
export async function uniqueScansOf(
  store: ClickHouse,
  codes: readonly ScannedCode[],
): Promise<(ScannedCode & { uniqueScans: number })[]> {
  const counts: (ScannedCode & { uniqueScans: number })[] = []
  for (let start = 0; start < codes.length; start += 5000) {
    const some = codes.slice(start, start + 5000)
    const part = await store.select<ScannedCode & { uniqueScans: number }>(
      `/* analytics.uniqueScansOf */
       select organization_id as organizationId, qr_code_id as qrCodeId, count() as uniqueScans
       from first_scans final
       where (organization_id, qr_code_id) in (
         select pair.1, pair.2
         from (select arrayJoin(arrayZip({organizationIds:Array(String)}, {qrCodeIds:Array(String)})) as pair))
       group by organization_id, qr_code_id`,
      {
        organizationIds: some.map(({ organizationId }) => organizationId),
        qrCodeIds: some.map(({ qrCodeId }) => qrCodeId),
      },
      { settings: ahead },
    )
    counts.push(...part)
  }
  return counts
}

/**
 * Deletes the rows of a batch. Every later query sees the deletion. First scans stay, because the
 * rows come back.
 */
async function deleteBatch(store: ClickHouse, batchId: string): Promise<void> {
  await store.command(
    '/* analytics.deleteBatch */ delete from scans where batch_id = {batchId:String}',
    { batchId },
    { deadlineMs: 10 * 60_000, settings: { lightweight_deletes_sync: '2' } },
  )
}
