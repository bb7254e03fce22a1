import { join } from 'node:path'
import { RecordLog } from '../../analytics/insert/record-log.ts'
import type { ScanBlock } from '../../analytics/insert/scan-block.ts'

/** The folder below the root of the journals. */
export const keptRowsName = 'kept'

/** A batch as it was inserted into the store. */
export type KeptBatch = {
  batchId: string
  writer: string
  /** The sequence of its last frame. */
  sequence: number
  rows: number
  /** The days of its scans (since 1970). */
  days: number[]
}

/**
 * The rows of the last days as they were inserted, in ClickHouse's Native format, with batch ids
 * and without networks or user agents. Rows that the scan store loses are restored from here.
 */
export class KeptRows extends RecordLog<KeptBatch> {
  constructor(journalRoot: string, clock?: () => number, isOwn?: (dir: string) => boolean) {
    super(join(journalRoot, keptRowsName), clock, isOwn)
  }

  /**
   * Stores a batch durably. Throws errors of the file system; the checkpoint must then not pass the
   * batch.
   */
  async keep(batch: KeptBatch, block: Pick<ScanBlock, 'native'>): Promise<void> {
    await this.append(batch, block.native())
  }
}
