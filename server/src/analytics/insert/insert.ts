import { setTimeout as sleep } from 'node:timers/promises'
import { firstScansOf } from '../store/first-scans.ts'
import type { ScanBlock } from './scan-block.ts'
import { hasCode, ScanStoreUnavailable, type ScanStore } from '../store/store.ts'

/** A code, as the scan store names it. */
export type ScannedCode = { organizationId: string; qrCodeId: string }

/**
 * Inserts a batch, whose rows land together or not at all. After any error the outcome is unknown: `settleBatch` finds it
 * out.
 */
export async function insertBatch(store: ScanStore, block: ScanBlock): Promise<void> {
  await insertBlock(store, block, block.batchId)
}

/**
 * How many rows of a batch the store has, once no insert of it is under way any more. Asked under the insert's own query
 * id, which the store refuses while the insert runs: a count of 0 is not followed by the rows.
 */
export async function countBatch(store: ScanStore, batchId: string, waitMs = 60_000): Promise<number> {
  const waitUntilMs = Date.now() + waitMs
  for (;;) {
    try {
      const [row] = await store.select<{ rows: number }>(
        '/* analytics.countBatch */ select count() as rows from scans where batch_id = {batchId:String}',
        { batchId },
        { queryId: batchId, settings: ahead },
      )
      return row?.rows ?? 0
    } catch (error) {
      if (!hasCode(error, alreadyRunning)) throw error
      if (Date.now() > waitUntilMs) throw new ScanStoreUnavailable(error)
      await sleep(100)
    }
  }
}

/** Takes the first scans from a batch again; doing so once too often changes nothing. */
export async function refeedFirstScans(store: ScanStore, batchId: string): Promise<void> {
  await store.command(
    `/* analytics.refeedFirstScans */ insert into first_scans ${firstScansOf('and batch_id = {batchId:String}')}`,
    { batchId },
    { settings: ahead },
  )
}

/** What `settleBatch` found: the rows were there, were not, or were there in part or twice. */
export type Settled = 'stored' | 'inserted' | 'replaced'

/**
 * Makes a batch whose outcome is unknown stand in the store exactly once, and its first scans with it. When it resolves,
 * the batch is settled; when it throws, it is as unknown as before and may be settled again.
 */
export async function settleBatch(store: ScanStore, block: ScanBlock): Promise<Settled> {
  const { batchId, rows } = block
  const found = await countBatch(store, batchId)
  if (found === rows) {
    await refeedFirstScans(store, batchId)
    return 'stored'
  }
  if (found > 0) await deleteBatch(store, batchId)
  // Without the first insert's token: the store may remember that one although its rows were lost.
  await insertBlock(store, block, `${batchId}/${Date.now()}`)
  const stored = await countBatch(store, batchId)
  if (stored !== rows)
    throw new Error(`batch ${batchId}: expected ${rows} rows after inserting them again, got ${stored}`)
  await refeedFirstScans(store, batchId)
  return found === 0 ? 'inserted' : 'replaced'
}

/** How many unique scans each of these codes has had, ever; codes without any are left out. */
export async function uniqueScansOf(
  store: ScanStore,
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

const alreadyRunning = 216

/** Scans on their way in go before whoever looks at figures. */
const ahead = { priority: '1' }

async function insertBlock(store: ScanStore, block: ScanBlock, token: string): Promise<void> {
  await store.insert('scans', block.columns, block.native(), {
    format: 'Native',
    queryId: block.batchId,
    deadlineMs: 60_000,
    settings: {
      async_insert: 0,
      // One block, written by one thread: it is one part of the table, and so all or nothing.
      max_insert_threads: '1',
      insert_deduplication_token: token,
    },
  })
}

/** The rows of a batch, removed; seen by every query after it. Their first scans stay, as the rows come back. */
async function deleteBatch(store: ScanStore, batchId: string): Promise<void> {
  await store.command(
    '/* analytics.deleteBatch */ delete from scans where batch_id = {batchId:String}',
    { batchId },
    { deadlineMs: 10 * 60_000, settings: { lightweight_deletes_sync: '2' } },
  )
}
