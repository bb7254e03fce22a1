import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { asError, closeQuietly, readFully, writeFully, type JournalIo } from './journal-io.ts'

// The header of a segment, little-endian:
// 0 magic | 8 version u16 | 10 header length u16 | 12 number u32 | 16 writer id
// | 32 first sequence u64 | 40 time of creation, ms u64 | 48 zeros | 60 crc u32. Frames follow.
export const segmentHeaderBytes = 64
const magic = 'EVERSCAN'
/** The version of the frames that the segment may contain. */
const version = 2
const segmentNamePattern = /^(\d{8})\.seg$/
const probeBytes = 64 * 1024
const copyBytes = 1024 * 1024
const unfinishedName = 'next.tmp'

export type SegmentHeader = {
  number: number
  /** The writer of the frames: 32 hexadecimal digits. */
  writerId: string
  firstSequence: number
  createdMs: number
}

/** The segment that is being written. */
export type Segment = {
  fd: number
  number: number
  firstSequence: number
  /** The position of the next frame. */
  offset: number
  /** The time when its first frame was written. While it has none: the time of its creation. */
  writtenMs: number
  /** Whether its name may not be durable yet. */
  fresh: boolean
  syncing: boolean
  /** Whether a sync of it failed: it is never synced again. */
  poisoned: boolean
  /**
   * Whether its file was removed or renamed while it was written: no reader finds it, and nothing
   * is appended to it.
   */
  lost: boolean
  /** Whether it begins with frames of a lost segment that no sync has covered. */
  unsynced: boolean
  retired: boolean
}

export function segmentPath(dir: string, number: number): string {
  return join(dir, `${String(number).padStart(8, '0')}.seg`)
}

/** Returns the number in a segment's file name, or `undefined` for any other file. */
export function segmentNumber(name: string): number | undefined {
  const digits = segmentNamePattern.exec(name)?.[1]
  return digits === undefined ? undefined : Number(digits)
}

/** Returns the numbers of the segments in a directory, ascending. */
export function listSegments(io: JournalIo, dir: string): number[] {
  return io
    .list(dir)
    .map(segmentNumber)
    .filter((number) => number !== undefined)
    .sort((a, b) => a - b)
}

export function encodeHeader({ number, writerId, firstSequence, createdMs }: SegmentHeader): Buffer {
  const bytes = Buffer.alloc(segmentHeaderBytes)
  bytes.write(magic, 0, 'latin1')
  bytes.writeUInt16LE(version, 8)
  bytes.writeUInt16LE(segmentHeaderBytes, 10)
  bytes.writeUInt32LE(number, 12)
  bytes.write(writerId, 16, 'hex')
  bytes.writeBigUInt64LE(BigInt(firstSequence), 32)
  bytes.writeBigUInt64LE(BigInt(Math.max(0, Math.floor(createdMs))), 40)
  bytes.writeUInt32LE(crc32(bytes.subarray(0, 60)), 60)
  return bytes
}

/**
 * Reads the header in the first bytes of a segment. Returns `undefined` if they are not a whole,
 * undamaged header. Throws if a later release wrote it: its frames must not be treated as damage.
 */
export function decodeHeader(bytes: Buffer): SegmentHeader | undefined {
  if (bytes.length < segmentHeaderBytes || bytes.toString('latin1', 0, 8) !== magic) return undefined
  if (crc32(bytes.subarray(0, 60)) !== bytes.readUInt32LE(60)) return undefined
  if (bytes.readUInt16LE(8) > version)
    throw new Error('a later release wrote this segment of the journal: run that one')
  return {
    number: bytes.readUInt32LE(12),
    writerId: bytes.toString('hex', 16, 32),
    firstSequence: Number(bytes.readBigUInt64LE(32)),
    createdMs: Number(bytes.readBigUInt64LE(40)),
  }
}

/**
 * Reads the header of an open segment. Returns `undefined` if it is damaged or not yet written.
 * Throws errors of the file system.
 */
export function readHeader(io: JournalIo, fd: number): SegmentHeader | undefined {
  const bytes = Buffer.alloc(segmentHeaderBytes)
  const length = readFully(io, fd, { bytes, length: segmentHeaderBytes, position: 0 })
  return decodeHeader(bytes.subarray(0, length))
}

/** A range of a buffer. */
export type Piece = { bytes: Buffer; from: number; to: number }

/**
 * Creates a segment that begins with `pieces`. The segment gets its name in the last step.
 *
 * A reader considers a segment finished as soon as a newer one has its name, so everything that can
 * fail comes before that step. Nothing is synced here: the first sync of a `fresh` segment also
 * covers its name. Throws errors of the file system, and a `SegmentNameError` if it is unknown
 * whether the name is already in the directory.
 */
export function createSegment(
  io: JournalIo,
  dir: string,
  header: SegmentHeader,
  pieces: Iterable<Piece>,
): Segment {
  const path = join(dir, unfinishedName)
  // A segment is read again only if it is lost.
  const fd = io.open(path, 'w+')
  let offset = 0
  const write = ({ bytes, from, to }: Piece): void => {
    const written = writeFully(io, fd, { bytes, from, to, position: offset })
    if (written.error !== undefined) throw written.error
    offset += written.bytes
  }
  try {
    write({ bytes: encodeHeader(header), from: 0, to: segmentHeaderBytes })
    for (const piece of pieces) write(piece)
  } catch (error) {
    closeQuietly(io, fd)
    removeUnfinished(io, path)
    throw error
  }
  try {
    io.rename(path, segmentPath(dir, header.number))
  } catch (error) {
    closeQuietly(io, fd)
    throw new SegmentNameError(error)
  }
  const { number, firstSequence, createdMs: writtenMs } = header
  const state = {
    fresh: true,
    syncing: false,
    poisoned: false,
    retired: false,
    lost: false,
    unsynced: false,
  }
  return { fd, number, firstSequence, offset, writtenMs, ...state }
}

/**
 * Yields the bytes of a segment from the end of its header to `end`, in pieces that share one
 * buffer.
 */
export function* readPieces(io: JournalIo, { fd }: Segment, end: number): Generator<Piece> {
  const bytes = Buffer.allocUnsafeSlow(Math.max(0, Math.min(copyBytes, end - segmentHeaderBytes)))
  for (let position = segmentHeaderBytes; position < end;) {
    const length = readFully(io, fd, { bytes, length: Math.min(bytes.length, end - position), position })
    if (length === 0) return
    yield { bytes, from: 0, to: length }
    position += length
  }
}

/** Removes an unfinished segment: on a full disk its bytes are needed for something else. */
function removeUnfinished(io: JournalIo, path: string): void {
  try {
    io.unlink(path)
  } catch {
    // The creation of the next segment begins by emptying the file.
  }
}

/**
 * The rename failed: the new segment may or may not have its name, so the old one must not be
 * written any more.
 */
export class SegmentNameError extends Error {
  constructor(cause: unknown) {
    super(`the new segment could not be named: ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause,
    })
    this.name = 'SegmentNameError'
  }
}

/** Removes a partial frame. If that fails, the next write at the same offset overwrites it. */
export function cutBack(io: JournalIo, segment: Segment): Error | undefined {
  try {
    io.truncate(segment.fd, segment.offset)
    return undefined
  } catch (error) {
    return asError(error)
  }
}

/** Checks whether there is room for some frames again, and leaves nothing behind. */
export function probeSegment(io: JournalIo, segment: Segment): Error | undefined {
  const bytes = Buffer.alloc(probeBytes)
  const written = writeFully(io, segment.fd, { bytes, from: 0, to: probeBytes, position: segment.offset })
  return cutBack(io, segment) ?? written.error
}

/** Syncs a segment off the event loop. The first sync includes its name in `dir`. */
export function syncSegment(
  io: JournalIo,
  dir: string,
  segment: Segment,
  done: (error: Error | null) => void,
): void {
  if (!segment.fresh) return io.syncData(segment.fd, done)
  io.sync(segment.fd, (error) => {
    if (error) return done(error)
    let directory: number
    try {
      directory = io.open(dir, 'r')
    } catch (failure) {
      return done(asError(failure))
    }
    io.sync(directory, (failed) => {
      closeQuietly(io, directory)
      if (!failed) segment.fresh = false
      done(failed)
    })
  })
}
