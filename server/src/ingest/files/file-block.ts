import { SegmentBlock } from '../../analytics/files/segment-block.ts'
import { OneMonth } from '../../analytics/insert/one-month.ts'
import type { ScanRow } from '../../analytics/insert/scan-row.ts'

/** The rows of a batch of one month on their way into a file. */
export class FileBlock {
  readonly segment = new SegmentBlock()
  readonly #month = new OneMonth()

  get rows(): number {
    return this.segment.rows
  }

  /** The month (UTC), such as 202603; 0 without rows. */
  get month(): number {
    return this.#month.month ?? 0
  }

  takes(row: ScanRow): boolean {
    return this.#month.has(row)
  }

  add(row: ScanRow): void {
    this.#month.add(row)
    this.segment.add(row)
  }
}
