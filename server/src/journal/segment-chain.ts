import { dirname } from 'node:path'
import type { FrameBuffer } from './frame-buffer.ts'
import { frameSeed, wholeFrames } from './frames.ts'
import {
  closeQuietly,
  errorCode,
  isSpaceError,
  syncDirectoryNow,
  writeFully,
  type JournalIo,
} from './journal-io.ts'
import type { ProblemLog } from './problem-log.ts'
import type { Quota } from './quota.ts'
import { recoverDirectory, type Recovered } from './recovery.ts'
import {
  createSegment,
  cutBack,
  listSegments,
  readPieces,
  segmentHeaderBytes,
  SegmentNameError,
  segmentPath,
  type Piece,
  type Segment,
} from './segments.ts'
import { readWriterFile, saveWriterFile } from './writers.ts'

export type SegmentChainOptions = {
  io: JournalIo
  dir: string
  clock: () => number
  buffer: FrameBuffer
  quota: Quota
  problems: ProblemLog
}

/** The segments of one writer: the current one, and how the journal continues in the next. */
export class SegmentChain {
  /** The segment that is being written; `undefined` while there is none. */
  current: Segment | undefined
  /**
   * The writer id in this directory's new frames; `undefined` until the directory was recovered.
   */
  writerId: string | undefined
  /** The start value of the CRCs of this writer's frames. */
  seed = 0
  /** The last sequence that was assigned to a frame. */
  sequence = 0
  cutBytes = 0
  /** Segments that were removed or renamed while they were written. */
  lost = 0
  readonly #io: JournalIo
  readonly #dir: string
  readonly #clock: () => number
  readonly #buffer: FrameBuffer
  readonly #quota: Quota
  readonly #problems: ProblemLog
  #recovered: Recovered | undefined
  #nextNumber = 0

  constructor({ io, dir, clock, buffer, quota, problems }: SegmentChainOptions) {
    this.#io = io
    this.#dir = dir
    this.#clock = clock
    this.#buffer = buffer
    this.#quota = quota
    this.#problems = problems
  }

  /** Prepares the directory, unless that is done. `writerId` stays unknown if this fails. */
  recover(): void {
    if (this.writerId !== undefined) return
    try {
      const { report } = this.#problems
      const recovered = recoverDirectory(this.#io, this.#dir, report)
      const { writerId, sequence, nextNumber, cutBytes } = recovered
      this.#recovered = recovered
      this.seed = frameSeed(writerId)
      this.sequence = sequence
      this.#nextNumber = nextNumber
      this.cutBytes = cutBytes
      this.writerId = writerId
    } catch (error) {
      this.#problems.report(error, 'starting')
    }
  }

  /**
   * Writes the frames of this turn. Returns how many of them are whole in the file; these are the
   * first ones.
   */
  writeTurn(): number {
    const buffer = this.#buffer
    let recorded = 0
    for (let tries = 0; tries < 2; tries++) {
      const segment = this.current
      if (segment === undefined) break
      const { bytes, turnStart: from, end: to } = buffer
      const written = writeFully(this.#io, segment.fd, { bytes, from, to, position: segment.offset })
      if (segment.offset === segmentHeaderBytes) segment.writtenMs = this.#clock()
      const whole = wholeFrames(bytes, from, from + written.bytes)
      recorded += whole.count
      segment.offset += whole.end - from
      this.#quota.add(whole.end - from)
      buffer.record(whole.end)
      if (written.error === undefined) break
      this.#problems.report(written.error, 'writing')
      const failure = cutBack(this.#io, segment)
      if (failure !== undefined) this.#problems.report(failure, 'cutting back')
      if (isSpaceError(written.error)) break
      // After any other error the file may contain more than was counted: nothing is appended to it
      // any more.
      if (this.next() === 'made') continue
      if (!segment.lost) this.retire()
      break
    }
    return recorded
  }

  /**
   * Returns whether the current segment is still where readers look for it. Returns true if that
   * cannot be determined, because the check is soon repeated.
   */
  hasName(): boolean {
    const segment = this.current
    if (segment === undefined) return true
    if (segment.lost) return false
    const path = segmentPath(this.#dir, segment.number)
    try {
      if (this.#io.isNamed(segment.fd, path)) return true
    } catch (error) {
      this.#problems.report(error, 'looking at a segment')
      return true
    }
    segment.lost = true
    this.lost++
    const message = `${path} was removed or renamed while it was written; its scans are written into another segment`
    this.#problems.report(new Error(message), 'looking at a segment')
    return false
  }

  /**
   * Continues in a new segment. It begins with all frames that no sync has covered, or with the
   * whole content of the old segment if that is lost. Readers skip the sequences that they already
   * have. `failed`: the old segment, if any, remains current, unless the new one may already have
   * its name. `too-large`: like `failed`, but the held frames, which alone exceed a limit on the
   * size of files, were released.
   */
  next(): 'made' | 'failed' | 'too-large' {
    if (this.writerId === undefined) return 'failed'
    const lost = this.hasName() ? undefined : this.current
    const whole = lost ?? (this.current?.unsynced === true ? this.current : undefined)
    try {
      if (lost !== undefined) this.#makeDirectory()
      const header = {
        number: this.#nextNumber,
        writerId: this.writerId,
        firstSequence: whole?.firstSequence ?? this.#buffer.firstSequence() ?? this.sequence + 1,
        createdMs: this.#clock(),
      }
      const next = createSegment(this.#io, this.#dir, header, this.#pieces(whole))
      next.unsynced = whole !== undefined
      this.retire()
      this.current = next
      this.#nextNumber++
      this.#quota.add(next.offset)
      return 'made'
    } catch (error) {
      this.#problems.report(error, 'making a segment')
      if (error instanceof SegmentNameError) {
        this.#nextNumber++
        // A lost segment stays open: it may be the only place that still has its scans.
        if (lost === undefined) this.retire()
      }
      if (errorCode(error) === 'ENOENT' && lost === undefined) this.#makeMissingDirectory()
      if (errorCode(error) !== 'EFBIG') return 'failed'
      // Otherwise every attempt would exceed the limit again.
      this.#buffer.release(this.#buffer.recordedBytes)
      return 'too-large'
    }
  }

  /**
   * Yields the beginning of the next segment. Redirects wait for it: copying 64 MiB once takes less
   * than 0.1 s.
   */
  *#pieces(whole: Segment | undefined): Generator<Piece> {
    // The held frames are the end of the segment. They are safe whatever happened to the file.
    const heldBytes = this.#buffer.recordedBytes - this.#buffer.releasedBytes
    if (whole !== undefined) yield* readPieces(this.#io, whole, whole.offset - heldBytes)
    yield* this.#buffer.held()
  }

  /**
   * Creates the directory if it no longer exists. Another directory may be in its place, so its
   * writer file must name this writer too.
   */
  #makeDirectory(): void {
    this.#io.makeDirectory(this.#dir)
    if (this.#recovered !== undefined) {
      const { writerId, sequence } = this.#recovered
      const others = readWriterFile(this.#io, this.#dir)?.writerIds ?? []
      saveWriterFile(this.#io, this.#dir, { writerIds: [...new Set([writerId, ...others])], sequence })
    }
    syncDirectoryNow(this.#io, dirname(this.#dir))
    this.#nextNumber = Math.max(this.#nextNumber, (listSegments(this.#io, this.#dir).at(-1) ?? 0) + 1)
  }

  #makeMissingDirectory(): void {
    try {
      this.#makeDirectory()
    } catch (error) {
      this.#problems.report(error, 'making the directory')
    }
  }

  /** Stops writing to the current segment. Its descriptor is closed when no sync uses it. */
  retire(): void {
    const segment = this.current
    this.current = undefined
    if (segment === undefined) return
    segment.retired = true
    if (!segment.syncing) closeQuietly(this.#io, segment.fd)
  }
}
