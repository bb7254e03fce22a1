import { scanRowText, type ScanRow } from './scan-row.ts'

/** More would no longer be one block of the store, and so no longer all or nothing. */
export const blockRowsMax = 50_000

/**
 * Rows of one batch, and of one calendar month (UTC), on their way into the store. They are text from the start: rows that were kept as
 * objects until the last had come took four times the memory (measured).
 */
export type ScanBlock = {
  readonly batchId: string
  /** How many rows; at most 50,000. */
  readonly rows: number
  /** About how long all of them are as text. */
  readonly bytes: number
  /** As the store partitions: `202603`; empty without rows. */
  readonly partition: string
  /** The rows, in pieces of some hundred: one string of all would take four times as long to build (measured). */
  text(): readonly Buffer[]
  /** Throws a RangeError for a row of another month than the first's, and for one too many. */
  add(row: ScanRow): void
}

const pieceRows = 500

export function createScanBlock(batchId: string): ScanBlock {
  const pieces: Buffer[] = []
  let piece = ''
  let rows = 0
  let bytes = 0
  let partition = ''

  function endPiece(): void {
    if (piece !== '') pieces.push(Buffer.from(piece))
    piece = ''
  }

  return {
    batchId,
    get rows() {
      return rows
    },
    get bytes() {
      return bytes + piece.length
    },
    get partition() {
      return partition
    },
    text() {
      endPiece()
      return pieces
    },
    add(row) {
      const month = monthOf(row.timeMs)
      if (rows === blockRowsMax || (rows > 0 && month !== partition))
        throw new RangeError(
          `a batch has at most ${blockRowsMax} rows of one month, got row ${rows + 1} of ${month} after ${partition}`,
        )
      partition = month
      rows++
      piece += scanRowText(row, batchId)
      if (rows % pieceRows > 0) return
      bytes += piece.length
      endPiece()
    },
  }
}

/** Month as the store partitions, in UTC: `202603`. */
export function monthOf(timeMs: number): string {
  const date = new Date(timeMs)
  return String(date.getUTCFullYear() * 100 + date.getUTCMonth() + 1)
}
