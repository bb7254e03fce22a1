import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { frameBytesMax, frameSequence, goodFrameBytes, nextGoodFrame } from './frames.ts'
import { asError, closeQuietly, readFully, writeFully, type JournalIo } from './journal-io.ts'
import type { RawScan } from './raw-scan.ts'
import { segmentHeaderBytes } from './segments.ts'

/**
 * The progress of a reader: it has every frame up to `sequence`, and the next ones are at or after
 * `offset` of `segment`.
 */
export type JournalPosition = { segment: number; offset: number; sequence: number }

/** A recorded scan. The position after it is `{ segment, offset: endOffset, sequence }`. */
export type JournalFrame<Scan = RawScan> = {
  sequence: number
  segment: number
  endOffset: number
  scan: Scan
}

/**
 * Bytes of a segment that differ from what the writer wrote. They are kept beside the segments as
 * `<segment>-<offset>.bad`. If they could not be kept, `problem` is the reason.
 */
export type DamagedRange = { segment: number; offset: number; bytes: number; problem?: Error }

/** The state of reading a journal. */
export type Reading<Scan = RawScan> = {
  readonly io: JournalIo
  readonly dir: string
  readonly unreadable: 'throw' | 'skip'
  readonly framesMax: number
  /** Returns the `scan` of the good frame at `at`. */
  readonly scanAt: (bytes: Buffer, at: number) => Scan
  readonly frames: JournalFrame<Scan>[]
  readonly damaged: DamagedRange[]
  position: JournalPosition
  bytesLeft: number
}

/** An open segment. Without a seed none of its frames can be distinguished from garbage. */
export type OpenSegment = {
  fd: number
  isNewest: boolean
  seed: number | undefined
  /** The next segment contains all frames from this sequence on, whole. */
  sequenceEnd: number
}

const chunkBytes = 1024 * 1024
const blockBytes = 4096

/** Reads from the position to the end of the available bytes, or to a limit. */
export async function readSegment<Scan>(
  reading: Reading<Scan>,
  segment: OpenSegment,
): Promise<'end' | 'bound'> {
  const { io, position } = reading
  const toRead = Math.min(io.size(segment.fd) - position.offset, reading.bytesLeft + frameBytesMax)
  // The segment may grow meanwhile: the chunk must hold any frame, not only those that are there.
  const chunk = Buffer.allocUnsafeSlow(Math.min(chunkBytes, Math.max(frameBytesMax, toRead)))
  let suspect = -1
  for (;;) {
    const size = io.size(segment.fd)
    if (position.offset >= size) return 'end'
    if (reading.bytesLeft <= 0 || reading.frames.length >= reading.framesMax) return 'bound'
    const length = Math.min(chunk.length, size - position.offset)
    readChunk(reading, segment.fd, chunk.subarray(0, length))
    const given = emitFrames(reading, segment, chunk.subarray(0, length))
    if (given > 0) continue
    const good = await findGoodFrame(reading, segment, size)
    if (good === undefined) {
      // At the end of the newest segment, this is treated as a frame that is still being written.
      if (segment.isNewest) return 'end'
      setAside(reading, segment.fd, size)
    } else if (segment.isNewest && suspect !== position.offset) {
      // A later frame is whole. If this one was only being written, it is whole by now: look again.
      suspect = position.offset
    } else setAside(reading, segment.fd, good)
  }
}

/**
 * Emits the good frames at the beginning of a chunk and moves the position. Returns the bytes that
 * they take.
 */
function emitFrames<Scan>(reading: Reading<Scan>, { seed, sequenceEnd }: OpenSegment, chunk: Buffer): number {
  const { position, frames } = reading
  if (seed === undefined || position.offset < segmentHeaderBytes) return 0
  let at = 0
  while (reading.bytesLeft > 0 && frames.length < reading.framesMax) {
    const bytes = goodFrameBytes(chunk, at, chunk.length, seed)
    if (bytes === 0) break
    const sequence = frameSequence(chunk, at)
    position.offset += bytes
    reading.bytesLeft -= bytes
    // Frames that a segment may have lost were written again into the next: only one of the two is
    // emitted.
    if (sequence > position.sequence && sequence < sequenceEnd) {
      const scan = reading.scanAt(chunk, at)
      frames.push({ sequence, segment: position.segment, endOffset: position.offset, scan })
      position.sequence = sequence
    }
    at += bytes
  }
  return at
}

/** Returns the offset of the next good frame after the position. */
async function findGoodFrame(
  { io, position, unreadable }: ReadingAt,
  { fd, seed }: OpenSegment,
  size: number,
): Promise<number | undefined> {
  if (seed === undefined) return undefined
  if (position.offset < segmentHeaderBytes) return size > segmentHeaderBytes ? segmentHeaderBytes : undefined
  const window = Buffer.allocUnsafeSlow(Math.min(chunkBytes, size - position.offset))
  for (let from = position.offset + 1; from < size;) {
    const length = Math.min(window.length, size - from)
    readChunk({ io, unreadable, position: { offset: from } }, fd, window.subarray(0, length))
    const good = nextGoodFrame(window, 0, length, seed)
    if (good !== -1) return from + good
    if (from + length >= size) return undefined
    // A frame cut by the end of the window is whole in the next window.
    from += length - frameBytesMax
    await nextTurn()
  }
  return undefined
}

type ReadingAt = Pick<Reading, 'io' | 'unreadable'> & { position: { offset: number } }

/** Fills a chunk from the position on. Unreadable bytes become zeros if they are to be skipped. */
function readChunk({ io, unreadable, position }: ReadingAt, fd: number, chunk: Buffer): void {
  try {
    const length = readFully(io, fd, { bytes: chunk, length: chunk.length, position: position.offset })
    chunk.fill(0, length)
  } catch (error) {
    if (unreadable === 'throw') throw error
    chunk.fill(0)
    for (let from = 0, to = 0; from < chunk.length; from = to) {
      // A disk loses whole blocks, so the pieces end at the boundaries of blocks.
      to = Math.min(chunk.length, from + blockBytes - ((position.offset + from) % blockBytes))
      const block = chunk.subarray(from, to)
      try {
        readFully(io, fd, { bytes: block, length: block.length, position: position.offset + from })
      } catch {
        block.fill(0)
      }
    }
  }
}

/**
 * Copies the bytes from the position to `end` into a separate file, and moves the position behind
 * them.
 */
function setAside<Scan>(reading: Reading<Scan>, fd: number, end: number): void {
  const { io, dir, position } = reading
  const { segment, offset } = position
  const damaged: DamagedRange = { segment, offset, bytes: end - offset }
  try {
    const to = io.open(join(dir, `${String(segment).padStart(8, '0')}-${offset}.bad`), 'w')
    try {
      const window = Buffer.allocUnsafeSlow(Math.min(chunkBytes, end - offset))
      for (let from = offset; from < end; from += window.length) {
        const length = Math.min(window.length, end - from)
        readChunk({ io, unreadable: 'skip', position: { offset: from } }, fd, window.subarray(0, length))
        const written = writeFully(io, to, { bytes: window, from: 0, to: length, position: from - offset })
        if (written.error !== undefined) throw written.error
      }
    } finally {
      closeQuietly(io, to)
    }
  } catch (error) {
    // The bytes are still in the segment, and the frames after them matter more.
    damaged.problem = asError(error)
  }
  reading.damaged.push(damaged)
  position.offset = end
}
