import { nativeBlock } from '../store/native-columns.ts'
import { monthOf, OneMonth } from './one-month.ts'
import { ScanColumns } from './scan-columns.ts'
import type { ScanRow } from './scan-row.ts'

const blockBytesMax = 16 * 1024 * 1024
const rowsBetweenLooks = 500

/** More rows would no longer be one block of the store, and no longer all or nothing. */
export const blockRowsMax = 50_000

/**
 * Rows of one batch and one calendar month (UTC) on their way into the store. They are columns from
 * the start: the store reads those fastest, and rows that were kept as objects until the last one
 * arrived took four times the memory (measured).
 */
export class ScanBlock {
  readonly batchId: string
  readonly #columns = new ScanColumns()
  #rows = 0
  readonly #month = new OneMonth()
  #isLong = false

  constructor(batchId: string) {
    this.batchId = batchId
  }

  /** The number of rows; at most 50,000. */
  get rows(): number {
    return this.#rows
  }

  /** The month, as the store partitions: `202603`. Empty without rows. */
  get partition(): string {
    return String(this.#month.month ?? '')
  }

  /** The columns of `scans` that the block has, in the order of the block. */
  get columns(): readonly string[] {
    return this.#columns.all.map(({ name }) => name)
  }

  /** Returns the rows in ClickHouse's Native format, in some pieces. */
  native(): readonly Buffer[] {
    return nativeBlock(this.#columns.all, this.#rows)
  }

  /**
   * Whether a row is of the first row's month and the block has room for it. A block of rows of
   * usual length takes at most 16 MiB.
   */
  takes(row: ScanRow): boolean {
    return this.#rows < blockRowsMax && !this.#isLong && this.#month.has(row)
  }

  /** Adds a row. Throws a RangeError if it is of another month than the first, or one too many. */
  add(row: ScanRow): void {
    if (this.#rows === blockRowsMax || !this.#month.has(row))
      throw new RangeError(
        `a batch has at most ${blockRowsMax} rows of one month, got row ${this.#rows + 1} of ${monthOf(row.timeMs)} after ${this.partition}`,
      )
    this.#month.add(row)
    this.#rows++
    this.#columns.add(row, this.batchId)
    if (this.#rows % rowsBetweenLooks === 0) this.#isLong = this.#columns.bytes() >= blockBytesMax
  }
}
