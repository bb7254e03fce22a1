import { dirname } from 'node:path'
import { frameSeed, frameSequence, goodFrameBytes } from './frames.ts'
import { closeQuietly, fileSystem, syncDirectoryNow, type JournalIo } from './journal-io.ts'
import { readFrameBytes, type DamagedRange, type JournalPosition } from './reader.ts'
import { createSegment, listSegments, type Piece } from './segments.ts'
import { readWriterFile, saveWriterFile } from './writers.ts'

/**
 * Whole frames of one writer in the order of their sequences, as they are in its segments: with
 * their checksums.
 */
export type CopiedFrames = { bytes: Buffer; frames: number; lastSequence: number }

export type CopyFramesOptions = {
  writer: string
  /** The frames up to here are omitted. */
  position: JournalPosition
  io: JournalIo
  /** Called for every range that was skipped. */
  onDamaged?: (range: DamagedRange) => void
}

const pieceBytesMax = 4 * 1024 * 1024

/**
 * Yields the frames of a writer after a position, in pieces of at most 4 MiB plus one frame. Skips
 * damaged ranges, and ranges that the disk cannot read. Ends where `io` ends: pass the one of
 * `HeldSegments`, because otherwise a writer that continues is followed. Throws errors of the file
 * system.
 */
export async function* copyFrames(
  dir: string,
  { writer, position: from, io, onDamaged = () => {} }: CopyFramesOptions,
): AsyncGenerator<CopiedFrames, void, undefined> {
  for (let position = from, more = true; more;) {
    const options = { writer, bytesMax: pieceBytesMax, unreadable: 'skip', io } as const
    const read = await readFrameBytes(dir, position, options)
    for (const range of read.damaged) onDamaged(range)
    ;({ position, more } = read)
    const { frames } = read
    if (frames.length === 0) continue
    const bytes = Buffer.concat(frames.map(({ scan }) => scan))
    yield { bytes, frames: frames.length, lastSequence: position.sequence }
  }
}

/**
 * Frames of one writer on their way into a new journal. The pieces of a writer follow each other.
 */
export type FramesToRestore = { writer: string; bytes: Buffer }

/** The segments that contain the restored frames of a writer. They follow each other. */
export type RestoredRun = { writer: string; firstSegment: number; frames: number; lastSequence: number }

export type RestoreFramesOptions = {
  /** The size at which a new segment starts. Default: 16 MiB. */
  segmentBytesMax?: number
  clock?: () => number
  io?: JournalIo
}

const segmentBytesMaxDefault = 16 * 1024 * 1024

/**
 * Creates a folder of finished segments from copied frames, durable when it resolves. The frames
 * keep their writers and sequences, and a front that starts in the folder continues after them as a
 * new writer. Without frames nothing is created. Throws for a folder that has a journal, and for
 * bytes that are not whole frames of their writer in ascending order. Also throws errors of the
 * file system.
 */
export async function restoreFrames(
  dir: string,
  pieces: AsyncIterable<FramesToRestore> | Iterable<FramesToRestore>,
  options: RestoreFramesOptions = {},
): Promise<RestoredRun[]> {
  const journal = new RestoredJournal(dir, options)
  for await (const piece of pieces) journal.add(piece)
  return journal.finish()
}

/**
 * Returns the checkpoint of a writer whose frames were restored, for the catalogue that belongs to
 * them. Reading from it yields exactly the frames of the run after the fence. `fence` is the
 * sequence up to which the writer's scans are in the scan store; omit it if there are none.
 */
export function restoredCheckpoint({ firstSegment }: RestoredRun, fence = 0): JournalPosition {
  return { segment: firstSegment, offset: 0, sequence: fence }
}

/**
 * Returns the sequence of the last frame of a piece, or 0 if it has none. Throws for bytes that are
 * not whole frames of their writer.
 */
export function lastFrameSequence({ writer, bytes }: FramesToRestore): number {
  const seed = frameSeed(writer)
  let sequence = 0
  for (let at = 0; at < bytes.length;) {
    const length = goodFrameBytes(bytes, at, bytes.length, seed)
    if (length === 0) throw new Error(`frames of writer ${writer} are damaged behind sequence ${sequence}`)
    sequence = frameSequence(bytes, at)
    at += length
  }
  return sequence
}

const writerPattern = /^[0-9a-f]{32}$/

class RestoredJournal {
  readonly #dir: string
  readonly #io: JournalIo
  readonly #clock: () => number
  readonly #segmentBytesMax: number
  readonly #runs: RestoredRun[] = []
  /** The content of the segment that is being gathered. */
  #pieces: Piece[] = []
  #bytes = 0
  #firstSequence = 0
  #nextNumber = 1

  constructor(dir: string, options: RestoreFramesOptions) {
    const { io = fileSystem, clock = Date.now, segmentBytesMax = segmentBytesMaxDefault } = options
    this.#dir = dir
    this.#io = io
    this.#clock = clock
    this.#segmentBytesMax = segmentBytesMax
  }

  add({ writer, bytes }: FramesToRestore): void {
    if (bytes.length === 0) return
    if (this.#runs.length === 0) this.#begin()
    const run = this.#runOf(writer)
    const seed = frameSeed(writer)
    let from = 0
    for (let at = 0; at < bytes.length; run.frames++) {
      const length = goodFrameBytes(bytes, at, bytes.length, seed)
      const sequence = length === 0 ? 0 : frameSequence(bytes, at)
      if (sequence <= run.lastSequence)
        throw new Error(
          `frames of writer ${writer} are damaged or out of order behind sequence ${run.lastSequence}`,
        )
      run.lastSequence = sequence
      if (this.#pieces.length === 0 && at === from) this.#firstSequence = sequence
      at += length
      if (at < bytes.length && this.#bytes + at - from < this.#segmentBytesMax) continue
      this.#pieces.push({ bytes, from, to: at })
      this.#bytes += at - from
      from = at
      if (this.#bytes >= this.#segmentBytesMax) this.#endSegment()
    }
  }

  finish(): RestoredRun[] {
    if (this.#runs.length === 0) return []
    this.#endSegment()
    saveWriterFile(this.#io, this.#dir, {
      writerIds: this.#runs.map(({ writer }) => writer).toReversed(),
      sequence: Math.max(...this.#runs.map(({ lastSequence }) => lastSequence)),
    })
    syncDirectoryNow(this.#io, dirname(this.#dir))
    return this.#runs
  }

  #begin(): void {
    this.#io.makeDirectory(this.#dir)
    if (listSegments(this.#io, this.#dir).length > 0 || readWriterFile(this.#io, this.#dir) !== undefined)
      throw new Error(`${this.#dir} holds a journal already: scans can only be restored into an empty folder`)
  }

  #runOf(writer: string): RestoredRun {
    const last = this.#runs.at(-1)
    if (last?.writer === writer) return last
    if (!writerPattern.test(writer)) throw new Error(`${JSON.stringify(writer)} is not the id of a writer`)
    if (this.#runs.some((run) => run.writer === writer))
      throw new Error(`the frames of writer ${writer} do not follow each other`)
    this.#endSegment()
    const run = { writer, firstSegment: this.#nextNumber, frames: 0, lastSequence: 0 }
    this.#runs.push(run)
    return run
  }

  #endSegment(): void {
    const writer = this.#runs.at(-1)?.writer
    if (writer === undefined || this.#bytes === 0) return
    const header = {
      number: this.#nextNumber++,
      writerId: writer,
      firstSequence: this.#firstSequence,
      createdMs: this.#clock(),
    }
    const segment = createSegment(this.#io, this.#dir, header, this.#pieces)
    try {
      this.#io.syncNow(segment.fd)
    } finally {
      closeQuietly(this.#io, segment.fd)
    }
    this.#pieces = []
    this.#bytes = 0
  }
}
