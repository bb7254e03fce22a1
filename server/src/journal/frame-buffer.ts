import { frameBytesMax, frameSequence } from './frames.ts'
import type { JournalBuffer } from './raw-scan.ts'
import type { Piece } from './segments.ts'

const chunkBytes = 256 * 1024
const freeChunksMax = 16

/**
 * The frames of this turn, and before them those that no sync has covered yet, in the order they were made.
 *
 * Frames are encoded where they are written from and kept until they are durable, so that nothing is copied: a new
 * segment can begin with everything that the old one may not have. Memory: chunks of 256 KiB, used again.
 */
export class FrameBuffer {
  bytes = newChunk(chunkBytes)
  /** End of the frames of this turn in `bytes`. */
  end = 0
  /** Where the frames of this turn begin in `bytes`. */
  turnStart = 0
  /** All bytes ever recorded, and how many of them are durable or were let go: the difference is held. */
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

  /** The frames of this turn up to `end` stand in the segment; the others of this turn are dropped. */
  record(end: number): void {
    this.recordedBytes += end - this.turnStart
    this.turnStart = end
  }

  dropTurn(): void {
    this.end = this.turnStart
  }

  /** Lets go of recorded bytes up to the mark, an earlier value of `recordedBytes`. */
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

  /** The recorded frames that are held. */
  held(): Piece[] {
    const current = { bytes: this.bytes, from: this.#heldStart, to: this.turnStart }
    return [...this.#older, current].filter(({ from, to }) => from < to)
  }

  /** Sequence of the first frame that is held or belongs to this turn. */
  firstSequence(): number | undefined {
    const piece = this.#older[0]
    if (piece !== undefined) return frameSequence(piece.bytes, piece.from)
    return this.#heldStart < this.end ? frameSequence(this.bytes, this.#heldStart) : undefined
  }

  /** Goes on in another chunk, and takes the frames of this turn along: a turn is always one piece. */
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

  /** A disk that takes no sync for long must not fill the memory: the oldest frames are let go. */
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
