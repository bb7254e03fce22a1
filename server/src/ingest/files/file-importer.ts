import { SegmentBlock } from '../../analytics/files/segment-block.ts'
import { monthOf } from '../../analytics/insert/one-month.ts'
import { ScanStoreUnavailable } from '../../analytics/scan-store.ts'
import type { Database } from '../../db/database.ts'
import { codeOfLine, rowsOfHits, type ArchivedHits, type ScanImporter } from '../imported-hits.ts'
import type { FileBatches } from './file-batches.ts'

type Commit = (count: (tx: Database) => Promise<boolean>) => Promise<void>

/**
 * Creates the way of archived hits into files. The job is their writer, and its checkpoint, which
 * moves in the transaction that counts them, says which of them are stored. `readBatches` returns
 * undefined until the store is open.
 */
export function createFileImporter(readBatches: () => FileBatches | undefined): ScanImporter {
  return {
    store: async (_db, hits, commit) => {
      const batches = readBatches()
      // Ingest makes it ready again.
      if (batches === undefined || !(await batches.canStore())) return false
      try {
        return await storeHits(batches, hits, commit)
      } catch (error) {
        if (error instanceof ScanStoreUnavailable) return false
        throw error
      }
    },
    // They are counted with their batch.
    countUniques: async () => true,
    codeOf: codeOfLine,
  }
}

/** Stores hits that no file has. Returns false if the store must become ready again. */
async function storeHits(batches: FileBatches, hits: ArchivedHits, commit: Commit): Promise<boolean> {
  const { writer, firstSequence, lines } = hits
  const after = firstSequence - 1
  const coverage = batches.coverage()
  const block = new SegmentBlock(lines.length)
  let month = 0
  for (const row of rowsOfHits(hits)) {
    month = monthOf(row.timeMs)
    // Files had them when an older catalogue was put back, and they were counted then.
    if (!coverage.has({ writer, month, sequence: Number(row.sequence) })) block.add(row)
  }
  const to = after + lines.length
  return await batches.store({
    read: { writer, from: batches.checkpointOf(writer), after, to, end: { segment: 0, offset: 0 } },
    month,
    block,
    coverage,
    within: (change) =>
      commit(async (tx) => {
        await change(tx)
        return true
      }),
  })
}
