import { frameSeed } from './frames.ts'
import { closeQuietly, errorCode, fileSystem, type JournalIo } from './journal-io.ts'
import {
  readSegment,
  type DamagedRange,
  type JournalFrame,
  type JournalPosition,
  type Reading,
} from './read-segment.ts'
import { readWriterId as writerIdIn } from './recovery.ts'
import { listSegments, readHeader, segmentHeaderBytes, segmentPath } from './segments.ts'

export type { DamagedRange, JournalFrame, JournalPosition } from './read-segment.ts'

/** Before the first frame of any journal. */
export const journalStart: JournalPosition = { segment: 0, offset: 0, sequence: 0 }

export type ReadFrames = {
  frames: JournalFrame[]
  /** Where to go on; it may have moved without a frame. */
  position: JournalPosition
  /** True when a bound ended the reading, not the journal. */
  more: boolean
  /** What was skipped. */
  damaged: DamagedRange[]
}

export type ReadOptions = {
  /** About how many bytes of frames to give at most; 1 MiB when missing, 64 KiB at least. In memory: 3 times that. */
  bytesMax?: number
  framesMax?: number
  /** What to do with a place that the disk cannot read: `throw`, to be called again, or `skip` it as damaged. */
  unreadable?: 'throw' | 'skip'
  io?: JournalIo
}

const bytesMin = 64 * 1024

/**
 * The frames of a writer after a position, in the order of their sequences, none twice.
 *
 * Works while the writer appends: a frame at the end of the newest segment that is not whole yet is left for the next
 * call. Damaged bytes are skipped to the next good frame. A folder that doesn't exist is an empty journal.
 * Throws what the file system throws; nothing is lost by calling again with the same position.
 */
export async function readFrames(
  dir: string,
  position: JournalPosition,
  {
    bytesMax = 4 * 1024 * 1024,
    framesMax = Infinity,
    unreadable = 'throw',
    io = fileSystem,
  }: ReadOptions = {},
): Promise<ReadFrames> {
  // Listed before any byte is read: a segment that has a newer one beside it is not written any more.
  const numbers = segmentsIn(io, dir)
  const reading: Reading = {
    io,
    dir,
    unreadable,
    framesMax,
    bytesLeft: Math.max(bytesMax, bytesMin),
    position: { ...position },
    frames: [],
    damaged: [],
  }
  let more = false
  const toRead = numbersFrom(reading, numbers)
  for (const [index, number] of toRead.entries()) {
    more = (await readFrom(reading, number, toRead[index + 1])) === 'bound'
    if (more) break
  }
  return { frames: reading.frames, position: reading.position, more, damaged: reading.damaged }
}

/** The id that a journal's frames are known by, for life; `undefined` before its writer first started. */
export function readWriterId(dir: string, io: JournalIo = fileSystem): string | undefined {
  return orMissing(() => writerIdIn(io, dir))
}

function segmentsIn(io: JournalIo, dir: string): number[] {
  return orMissing(() => listSegments(io, dir)) ?? []
}

/**
 * The segments to read. When all are older than the position, the last ones were lost (the power went, or an older
 * state was put back): those made after the position was taken are read.
 */
function numbersFrom({ io, dir, position }: Reading, numbers: readonly number[]): readonly number[] {
  const after = numbers.filter((number) => number >= position.segment)
  if (after.length > 0) return after
  const made = numbers.findIndex((number) => firstSequenceOf(io, dir, number) > position.sequence)
  return made === -1 ? [] : numbers.slice(made)
}

function firstSequenceOf(io: JournalIo, dir: string, number: number): number {
  const fd = orMissing(() => io.open(segmentPath(dir, number), 'r'))
  if (fd === undefined) return 0
  try {
    return readHeader(io, fd)?.firstSequence ?? 0
  } finally {
    closeQuietly(io, fd)
  }
}

async function readFrom(
  reading: Reading,
  number: number,
  next: number | undefined,
): Promise<'end' | 'bound'> {
  const { io, dir, position } = reading
  // Removed since the list was made: then it was ingested, and the next one is there.
  const fd = orMissing(() => io.open(segmentPath(dir, number), 'r'))
  if (fd === undefined) return 'end'
  try {
    const header = readHeader(io, fd)
    const writerId = header?.writerId ?? readWriterId(dir, io)
    // A segment that was made after the position was taken is another one of the same number: the first was lost.
    const isSame = number === position.segment && (header?.firstSequence ?? 0) <= position.sequence
    const offset = isSame ? position.offset : 0
    reading.position = { segment: number, offset, sequence: position.sequence }
    const seed = writerId === undefined ? undefined : frameSeed(writerId)
    // A new segment begins with all that the old one may lose, so from there on the old one counts no more: after a
    // power loss it may have the last of these frames without those before.
    const sequenceEnd = next === undefined ? Infinity : firstSequenceOf(io, dir, next) || Infinity
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
