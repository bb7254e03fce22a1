import { frameBytesMax, frameSequence } from './frames.ts'
import type { JournalBuffer } from './raw-scan.ts'
import type { Piece } from './segments.ts'

const chunkBytes = 256 * 1024
const freeChunksMax = 16

/**
 * The frames of this turn, preceded by those that no sync has covered yet, in the order of their
 * creation.
 *
 * Frames are encoded where they are written from, and kept until they are durable. Therefore
 * nothing is copied, and a new segment can begin with everything that the old one may not have.
 * Memory: chunks of 256 KiB, which are reused.
 */
export class FrameBuffer {
  bytes = newChunk(chunkBytes)
  /** The end of this turn's frames in `bytes`. */
  end = 0
  /** The start of this turn's frames in `bytes`. */
  turnStart = 0
  /**
   * All bytes ever recorded, and how many of them are durable or were released: the difference is
   * held.
   */
  recordedBytes = 0
  releasedBytes = 0
  #heldStart = 0
  #older: Piece[] = []
  #free: JournalBuffer[] = []
  readonly #heldBytesMax: number

  constructor(heldBytesMax: number) {
    this.#heldBytesMax = heldBytesMax
  }

  /** Makes room for one more frame at `end`. */
  reserve(): void {
    if (this.end + frameBytesMax > this.bytes.length) this.#moveTurn()
  }

  /**
   * Marks the frames of this turn up to `end` as written to the segment. The others remain in the
   * turn until they are recorded or dropped.
   */
  record(end: number): void {
    this.recordedBytes += end - this.turnStart
    this.turnStart = end
  }

  dropTurn(): void {
    this.end = this.turnStart
  }

  /** Releases recorded bytes up to the mark, an earlier value of `recordedBytes`. */
  release(mark: number): void {
    let bytes = mark - this.releasedBytes
    if (bytes <= 0) return
    this.releasedBytes = mark
    for (let piece = this.#older[0]; piece !== undefined && bytes > 0; piece = this.#older[0]) {
      const taken = Math.min(bytes, piece.to - piece.from)
      piece.from += taken
      bytes -= taken
      if (piece.from === piece.to) this.#recycle(this.#older.shift())
    }
    this.#heldStart += bytes
    if (this.#older.length === 0 && this.#heldStart === this.end) {
      this.end = 0
      this.turnStart = 0
      this.#heldStart = 0
    }
  }

  /** Returns the recorded frames that are held. */
  held(): Piece[] {
    const current = { bytes: this.bytes, from: this.#heldStart, to: this.turnStart }
    return [...this.#older, current].filter(({ from, to }) => from < to)
  }

  /** Returns the sequence of the first frame that is held or belongs to this turn. */
  firstSequence(): number | undefined {
    const piece = this.#older[0]
    if (piece !== undefined) return frameSequence(piece.bytes, piece.from)
    return this.#heldStart < this.end ? frameSequence(this.bytes, this.#heldStart) : undefined
  }

  /**
   * Continues in another chunk, and moves the frames of this turn there: a turn is always one
   * piece.
   */
  #moveTurn(): void {
    const turnBytes = this.end - this.turnStart
    const roomBytes = 2 * (turnBytes + frameBytesMax)
    const next =
      (roomBytes <= chunkBytes ? this.#free.pop() : undefined) ?? newChunk(Math.max(chunkBytes, roomBytes))
    this.bytes.copy(next, 0, this.turnStart, this.end)
    const full = { bytes: this.bytes, from: this.#heldStart, to: this.turnStart }
    if (full.from < full.to) this.#older.push(full)
    else this.#recycle(full)
    this.bytes = next
    this.#heldStart = 0
    this.turnStart = 0
    this.end = turnBytes
    this.#trim()
  }

  /** Releases the oldest frames: a disk that accepts no sync for long must not fill the memory. */
  #trim(): void {
    while (this.recordedBytes - this.releasedBytes > this.#heldBytesMax) {
      const oldest = this.#older.shift()
      if (oldest === undefined) return
      this.releasedBytes += oldest.to - oldest.from
      this.#recycle(oldest)
    }
  }

  #recycle(piece: Piece | undefined): void {
    if (piece?.bytes.length === chunkBytes && this.#free.length < freeChunksMax) {
      this.#free.push(piece.bytes as JournalBuffer)
    }
  }
}

function newChunk(bytes: number): JournalBuffer {
  return Buffer.allocUnsafeSlow(bytes) as JournalBuffer
}
