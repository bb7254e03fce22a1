import { insertBlock, selectUnderId } from './batch-statements.ts'
import type { Replica, Replicas, StoredRows } from './replicated-batches.ts'
import type { ScanBlock } from './scan-block.ts'
import { ScanStoreUnavailable } from '../scan-store.ts'
import type { ClickHouse, StoreReplicas } from '../store/clickhouse.ts'

/** How long a count waits for an insert of the same batch on that server. */
const waitMs = 60_000

/** The servers of a store, as batches use them. */
export function replicasOf(replicas: StoreReplicas): Replicas<ScanBlock> {
  const { pinned, all, majority } = replicas
  const each = all.map((server) => replicaOf(server, replicas))
  return {
    pinned: each[all.indexOf(pinned)] ?? replicaOf(pinned, replicas),
    all: each,
    majority,
    nowMs: () => Date.now(),
  }
}

function replicaOf(server: ClickHouse, { catchUp, isPinned }: StoreReplicas): Replica<ScanBlock> {
  let id: string | undefined
  return {
    insert: (block, token) => insertBlock(server, block, token),
    catchUp: () => catchUp(server),
    async count(batchId) {
      const { server: answering, ...found } = await countWithParts(server, batchId)
      // Behind one address there may be a proxy, for all that was looked at before.
      if (isPinned && id !== undefined && id !== answering)
        throw new ScanStoreUnavailable(
          new Error('several servers answer on one address of CLICKHOUSE_URL: name each by its own'),
        )
      id = answering
      return found
    },
    async remove(batchId, parts) {
      await server.command(
        // The parts keep a deletion that comes late away from rows that were inserted since.
        `/* analytics.deleteBatch */
         delete from scans where batch_id = {batchId:String} and has({parts:Array(String)}, _part)`,
        { batchId, parts },
        { deadlineMs: 10 * 60_000, settings: { lightweight_deletes_sync: '1' } },
      )
    },
  }
}

async function countWithParts(server: ClickHouse, batchId: string): Promise<StoredRows & { server: string }> {
  const sql = `/* analytics.countBatch, with parts */
    select
      count() as rows, groupUniqArray(_part) as parts, toString(serverUUID()) as server,
      (select count()
       from system.mutations
       where database = currentDatabase() and table = 'scans' and not is_done
         and position(command, {batchId:String}) > 0) as open
    from scans
    where batch_id = {batchId:String}`
  const [row] = await selectUnderId<{ rows: number; parts: string[]; server: string; open: number }>(server, {
    sql,
    batchId,
    waitMs,
  })
  const { rows = 0, parts = [], server: answering = '', open = 0 } = row ?? {}
  return { rows, parts, server: answering, isChanging: open > 0 }
}
