import { frameBytes, frameScan, frameSeed } from './frames.ts'
import { closeQuietly, errorCode, fileSystem, type JournalIo } from './journal-io.ts'
import type { RawScan } from './raw-scan.ts'
import {
  readSegment,
  type DamagedRange,
  type JournalFrame,
  type JournalPosition,
  type Reading,
} from './read-segment.ts'
import { listSegments, readHeader, segmentHeaderBytes, segmentPath, type SegmentHeader } from './segments.ts'
import { readWriterFile, segmentWriters } from './writers.ts'

export type { DamagedRange, JournalFrame, JournalPosition } from './read-segment.ts'

/** The position before the first frame of any journal. */
export const journalStart: JournalPosition = { segment: 0, offset: 0, sequence: 0 }

export type ReadFrames<Scan = RawScan> = {
  frames: JournalFrame<Scan>[]
  /** The position to continue from. It may have moved without a frame. */
  position: JournalPosition
  /** True if a limit ended the reading, not the journal. */
  more: boolean
  /** The skipped ranges. */
  damaged: DamagedRange[]
}

export type ReadOptions = {
  /** Only this writer's frames. Default: the frames of all writers of the folder. */
  writer?: string
  /**
   * The approximate limit of the bytes of frames. Default: 4 MiB; at least 64 KiB. In memory: 3
   * times that.
   */
  bytesMax?: number
  framesMax?: number
  /**
   * What to do with a range that the disk cannot read: `throw`, so that the caller can repeat the
   * call, or `skip` it as damaged.
   */
  unreadable?: 'throw' | 'skip'
  io?: JournalIo
}

const bytesMin = 64 * 1024

/**
 * Reads the frames of a folder after a position, in the order of their sequences, none twice.
 *
 * Works while the writer appends: a frame at the end of the newest segment that is not whole yet is
 * left for the next call. Damaged bytes are skipped up to the next good frame. A folder that
 * doesn't exist is an empty journal. Throws errors of the file system; nothing is lost by calling
 * again with the same position.
 */
export async function readFrames(
  dir: string,
  position: JournalPosition,
  options: ReadOptions = {},
): Promise<ReadFrames> {
  return readFramesAs(dir, position, { ...options, scanAt: frameScan })
}

/**
 * Reads the same frames, but each `scan` is a copy of the frame's bytes as they are in the segment.
 */
export async function readFrameBytes(
  dir: string,
  position: JournalPosition,
  options: ReadOptions = {},
): Promise<ReadFrames<Buffer>> {
  return readFramesAs(dir, position, { ...options, scanAt: copyOfFrame })
}

function copyOfFrame(bytes: Buffer, at: number): Buffer {
  return Buffer.from(bytes.subarray(at, at + frameBytes(bytes, at)))
}

async function readFramesAs<Scan>(
  dir: string,
  position: JournalPosition,
  {
    writer,
    bytesMax = 4 * 1024 * 1024,
    framesMax = Infinity,
    unreadable = 'throw',
    io = fileSystem,
    scanAt,
  }: ReadOptions & Pick<Reading<Scan>, 'scanAt'>,
): Promise<ReadFrames<Scan>> {
  // Listed before any byte is read: a segment that has a newer one beside it is no longer written.
  const numbers = segmentsIn(io, dir)
  const reading: Reading<Scan> = {
    io,
    dir,
    unreadable,
    framesMax,
    scanAt,
    bytesLeft: Math.max(bytesMax, bytesMin),
    position: { ...position },
    frames: [],
    damaged: [],
  }
  let more = false
  const readOn = async (from: number): Promise<boolean> => {
    let isThere = false
    for (const [index, number] of numbers.entries()) {
      if (number < from) continue
      const ended = await readFrom(reading, { numbers, index, writer })
      if (ended !== 'other') isThere = true
      // The segments of a writer follow each other.
      else if (isThere) break
      more = ended === 'bound'
      if (more) break
    }
    return isThere
  }
  if (!(await readOn(position.segment))) {
    const made = madeAfter(reading, numbers)
    if (made !== undefined) await readOn(made)
  }
  return { frames: reading.frames, position: reading.position, more, damaged: reading.damaged }
}

/** A writer, and the first of its segments, which follow each other. */
export type WriterRun = {
  writer: string
  /** `undefined`: none of its segments are left, but what was read from them may not be settled. */
  firstSegment: number | undefined
  isLast: boolean
}

/**
 * Returns the writers whose segments are or were in a folder, oldest first. The last of them may be
 * writing.
 */
export function readWriters(dir: string, io: JournalIo = fileSystem): WriterRun[] {
  const numbers = segmentsIn(io, dir)
  const runs = new Map<string, number | undefined>()
  const named = orMissing(() => readWriterFile(io, dir))?.writerIds ?? []
  for (const writer of named.toReversed()) runs.set(writer, undefined)
  for (const [index, writer] of segmentWriters(io, dir, numbers).entries())
    if (writer !== undefined) runs.set(writer, runs.get(writer) ?? numbers[index])
  const last = segmentWriters(io, dir, numbers.slice(-1))[0]
  return [...runs].map(([writer, firstSegment]) => ({ writer, firstSegment, isLast: writer === last }))
}

/**
 * Returns a sequence from which on a folder has all frames of a writer, or undefined if it has
 * none.
 */
export function firstSequence(dir: string, writer: string, io: JournalIo = fileSystem): number | undefined {
  const first = readWriters(dir, io).find((run) => run.writer === writer)?.firstSegment
  return first === undefined ? undefined : headerOf(io, dir, first)?.firstSequence
}

function segmentsIn(io: JournalIo, dir: string): number[] {
  return orMissing(() => listSegments(io, dir)) ?? []
}

/**
 * Finds where to continue if all segments are older than the position: the first segment that was
 * created after the position was taken. The last segments were then lost in a power loss, or an
 * older state of the folder was restored.
 */
function madeAfter(
  { io, dir, position }: Pick<Reading, 'io' | 'dir' | 'position'>,
  numbers: readonly number[],
): number | undefined {
  return numbers.find((number) => (headerOf(io, dir, number)?.firstSequence ?? 0) > position.sequence)
}

function headerOf(io: JournalIo, dir: string, number: number): SegmentHeader | undefined {
  const fd = orMissing(() => io.open(segmentPath(dir, number), 'r'))
  if (fd === undefined) return undefined
  try {
    return readHeader(io, fd)
  } finally {
    closeQuietly(io, fd)
  }
}

async function readFrom<Scan>(
  reading: Reading<Scan>,
  { numbers, index, writer }: { numbers: readonly number[]; index: number; writer: string | undefined },
): Promise<'end' | 'bound' | 'other'> {
  const { io, dir, position } = reading
  const number = numbers[index] ?? 0
  const next = numbers[index + 1]
  // If the segment was removed since the list was made, it was ingested, and the next one exists.
  const fd = orMissing(() => io.open(segmentPath(dir, number), 'r'))
  if (fd === undefined) return 'end'
  try {
    const header = readHeader(io, fd)
    const writerId = header?.writerId ?? segmentWriters(io, dir, numbers)[index]
    if (writer !== undefined && writerId !== writer) return 'other'
    // A segment that was created after the position was taken is another one of the same number:
    // the first was lost.
    const isSame = number === position.segment && (header?.firstSequence ?? 0) <= position.sequence
    const offset = isSame ? position.offset : 0
    reading.position = { segment: number, offset, sequence: position.sequence }
    const seed = writerId === undefined ? undefined : frameSeed(writerId)
    // A new segment begins with all frames that the old one may lose, so from there on the old one
    // no longer counts: after a power loss it may have the last of these frames without those
    // before. A segment of another writer repeats nothing.
    const nextHeader = next === undefined ? undefined : headerOf(io, dir, next)
    const sequenceEnd = nextHeader?.writerId === writerId ? (nextHeader?.firstSequence ?? Infinity) : Infinity
    const open = { fd, seed, sequenceEnd, isNewest: next === undefined }
    if (header !== undefined) reading.position.offset = Math.max(offset, segmentHeaderBytes)
    return await readSegment(reading, open)
  } finally {
    closeQuietly(io, fd)
  }
}

function orMissing<T>(step: () => T): T | undefined {
  try {
    return step()
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined
    throw error
  }
}
