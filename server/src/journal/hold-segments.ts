import { basename, dirname, join } from 'node:path'
import { copyFrames, type CopiedFrames } from './copy-frames.ts'
import { errorCode, fileSystem, type JournalIo } from './journal-io.ts'
import { lastSequenceOf } from './last-sequence.ts'
import { journalStart, readWriters, type JournalPosition } from './reader.ts'
import { listSegments, readHeader, segmentNumber, segmentPath, type SegmentHeader } from './segments.ts'
import { readWriterFile, segmentWriters } from './writers.ts'

const lookMsDefault = 100

/**
 * A writer whose segments are held, and their folders: one, unless an admin copied a folder by
 * hand.
 */
export type HeldWriter = { writer: string; dirs: readonly string[] }

export type HoldOptions = {
  /** The interval of the looks for new segments. Default: 100. */
  lookMs?: number
  io?: JournalIo
}

/**
 * Opens every segment of the journals under a root, so that it remains readable after the worker
 * has removed it. Must be called before the catalogue is read. Then every frame that was
 * acknowledged before the call is either held or covered by a checkpoint of that catalogue. Throws
 * errors of the file system.
 */
export function holdSegments(journalRoot: string, options: HoldOptions = {}): HeldSegments {
  return new HeldSegments(journalRoot, options)
}

/**
 * Open segments. Until `writers` is called, new segments are opened as they appear, because they
 * contain the scans that arrive while the catalogue is read. `release` closes all segments, as does
 * the end of the process. Holding leaves nothing on the disk.
 */
export class HeldSegments {
  /** Bytes that were skipped because they are damaged. */
  damagedBytes = 0
  readonly #root: string
  readonly #io: JournalIo
  /** Descriptors by path. */
  readonly #held = new Map<string, number>()
  /** The last segment of each folder when the hold began. */
  readonly #lastNumbers = new Map<string, number>()
  readonly #timer: NodeJS.Timeout
  #frozen: JournalIo | undefined
  /** The size of each descriptor's segment when holding ended. */
  readonly #sizes = new Map<number, number>()

  constructor(journalRoot: string, { lookMs = lookMsDefault, io = fileSystem }: HoldOptions) {
    this.#root = journalRoot
    this.#io = io
    try {
      // Repeated until a look finds nothing new, because segments may be created during a look.
      while (this.#look() > 0);
    } catch (error) {
      this.#closeAll()
      throw error
    }
    for (const path of this.#held.keys()) {
      const dir = dirname(path)
      this.#lastNumbers.set(dir, Math.max(this.#lastNumbers.get(dir) ?? 0, numberOf(path)))
    }
    this.#timer = setInterval(() => this.#lookAgain(), lookMs).unref()
  }

  /**
   * Returns the writers that may have frames. From the first call on nothing more is held: the
   * frames end here.
   */
  writers(): HeldWriter[] {
    const io = this.#freeze()
    const dirs = new Map<string, string[]>()
    for (const dir of this.#heldFolders())
      for (const { writer, firstSegment } of readWriters(dir, io))
        if (firstSegment !== undefined) dirs.set(writer, [...(dirs.get(writer) ?? []), dir])
    return [...dirs].map(([writer, ofWriter]) => ({ writer, dirs: ofWriter }))
  }

  /**
   * Yields the frames of a writer after its checkpoint, in the form of `copyFrames`. The checkpoint
   * is omitted if none of its frames were ingested.
   */
  async *framesBehind(
    { writer, dirs }: HeldWriter,
    checkpoint: JournalPosition = journalStart,
  ): AsyncGenerator<CopiedFrames, void, undefined> {
    const io = this.#freeze()
    const onDamaged = ({ bytes }: { bytes: number }): void => void (this.damagedBytes += bytes)
    let position = checkpoint
    for (const dir of dirs) {
      for await (const piece of copyFrames(dir, { writer, position, io, onDamaged })) {
        yield piece
        position = { ...position, sequence: piece.lastSequence }
      }
      // The checkpoint cannot say where the next folder begins.
      position = { ...journalStart, sequence: position.sequence }
    }
  }

  release(): void {
    clearInterval(this.#timer)
    this.#closeAll()
  }

  #closeAll(): void {
    for (const fd of this.#held.values()) this.#io.close(fd)
    this.#held.clear()
  }

  readonly #lookAgain = (): void => {
    try {
      this.#look()
    } catch {
      // A new segment that is not held contains only frames from after the beginning of the copy.
    }
  }

  /** Opens new segments and returns their number. */
  #look(): number {
    let opened = 0
    for (const dir of this.#folders())
      for (const number of orMissing(() => listSegments(this.#io, dir)) ?? [])
        if (this.#open(segmentPath(dir, number))) opened++
    return opened
  }

  /** Returns the folders. Only folders have names without a dot here. */
  #folders(): string[] {
    const names = orMissing(() => this.#io.list(this.#root)) ?? []
    return names.filter((name) => !name.includes('.')).map((name) => join(this.#root, name))
  }

  #open(path: string): boolean {
    const known = this.#held.get(path)
    // A front replaces a segment without frames by its own segment of the same number.
    if (known !== undefined && this.#io.isNamed(known, path)) return false
    // If the segment was removed since it was listed, it was ingested before the catalogue is read.
    const fd = orMissing(() => this.#io.open(path, 'r'))
    if (fd === undefined) return false
    if (known !== undefined) this.#io.close(known)
    this.#held.set(path, fd)
    return true
  }

  /**
   * Ends the holding of new segments. Returns the held ones, with their current sizes, as a file
   * system that does not change.
   */
  #freeze(): JournalIo {
    if (this.#frozen !== undefined) return this.#frozen
    clearInterval(this.#timer)
    this.#lookAgain()
    for (const fd of this.#held.values()) this.#sizes.set(fd, this.#io.size(fd))
    this.#frozen = {
      ...this.#io,
      open: (path, flags) => {
        // Reading a journal moves damaged ranges into files, which only ingest may do.
        if (flags !== 'r') throw new Error('only read here')
        return this.#held.get(path) ?? this.#io.open(path, flags)
      },
      close: (fd) => {
        if (!this.#sizes.has(fd)) this.#io.close(fd)
      },
      size: (fd) => this.#sizes.get(fd) ?? this.#io.size(fd),
      list: (dir) => this.#heldIn(dir).map((path) => basename(path)),
    }
    for (const dir of this.#heldFolders()) this.#cutAtGap(dir, this.#frozen)
    return this.#frozen
  }

  /**
   * Drops everything after a gap, so that the frames of a copy have no hole. A gap is a segment
   * that was created, filled, ingested and removed between two looks. All dropped frames are
   * younger than the copy. The numbers alone are not enough: a segment that was lost while its
   * front wrote it is written again under another number.
   */
  #cutAtGap(dir: string, io: JournalIo): void {
    const numbers = listSegments(io, dir)
    const last = this.#lastNumbers.get(dir) ?? 0
    const at = numbers.findIndex((number, index) => {
      const before = numbers[index - 1]
      if (before === undefined || number <= last || number === before + 1) return false
      return !goesOn(io, dir, { before, number })
    })
    if (at === -1) return
    for (const number of numbers.slice(at)) this.#drop(segmentPath(dir, number))
  }

  #drop(path: string): void {
    const fd = this.#held.get(path)
    if (fd === undefined) return
    this.#held.delete(path)
    this.#sizes.delete(fd)
    this.#io.close(fd)
  }

  #heldIn(dir: string): string[] {
    return [...this.#held.keys()].filter((path) => dirname(path) === dir)
  }

  #heldFolders(): string[] {
    return [...new Set([...this.#held.keys()].map((path) => dirname(path)))].sort()
  }
}

function numberOf(path: string): number {
  return segmentNumber(basename(path)) ?? 0
}

/**
 * Returns whether a segment begins with the scan after the last one of another segment, or with the
 * first scan of its writer.
 */
function goesOn(io: JournalIo, dir: string, { before, number }: { before: number; number: number }): boolean {
  const header = headerOf(io, segmentPath(dir, number))
  if (header === undefined) return false
  const [writerBefore] = segmentWriters(io, dir, [before])
  const sequenceBefore =
    writerBefore === header.writerId
      ? lastSequenceOf(io, segmentPath(dir, before), { writer: writerBefore })
      : sequenceBeforeAll(io, dir, header.writerId)
  return sequenceBefore !== undefined && header.firstSequence <= sequenceBefore + 1
}

/**
 * Returns the sequence after which the last writer of a folder began; `undefined` for earlier
 * writers.
 */
function sequenceBeforeAll(io: JournalIo, dir: string, writer: string): number | undefined {
  const known = readWriterFile(io, dir)
  return known?.writerIds[0] === writer ? known.sequence : undefined
}

function headerOf(io: JournalIo, path: string): SegmentHeader | undefined {
  const fd = io.open(path, 'r')
  try {
    return readHeader(io, fd)
  } finally {
    io.close(fd)
  }
}

function orMissing<T>(step: () => T): T | undefined {
  try {
    return step()
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') return undefined
    throw error
  }
}
