import { randomBytes } from 'node:crypto'
import { dirname, join } from 'node:path'
import { crc32 } from 'node:zlib'
import { frameBytesMax, frameSeed, frameSequence, goodFrameBytes, nextGoodFrame } from './frames.ts'
import {
  asError,
  closeQuietly,
  errorCode,
  readFully,
  syncDirectoryNow,
  writeFully,
  type JournalIo,
} from './journal-io.ts'
import { listSegments, readHeader, segmentHeaderBytes, segmentPath, type SegmentHeader } from './segments.ts'

const writerName = 'writer'
const writerPattern = /^everscan-writer 1 ([0-9a-f]{32}) (\d{1,16})\n([0-9a-f]{8})\n$/

/**
 * Sequences go on this far above the last one found at every start: more frames than memory can hold unsynced. So
 * frames that a power loss took, but that were read before, never have their sequences given to others.
 */
export const sequenceJump = 2 ** 28

export type Recovered = {
  writerId: string
  /** The last sequence that counts as used. */
  sequence: number
  nextNumber: number
  /** What the last stop left unfinished and was cut off. */
  cutBytes: number
}

type Problem = (error: Error, what: string) => void

/**
 * Makes a writer's directory ready for a new segment, whatever state it is in.
 *
 * The last segment loses its torn tail and is synced; damage before a good frame stays for the reader, which skips
 * it. Throws when the directory cannot be made or listed, or the id in it cannot be read.
 */
export function recoverDirectory(io: JournalIo, dir: string, onProblem: Problem): Recovered {
  io.makeDirectory(dir)
  attempt(onProblem, 'syncing the parent directory', () => syncDirectoryNow(io, dirname(dir)))
  const numbers = listSegments(io, dir)
  const problems: Error[] = []
  const report: Problem = (error, what) => {
    problems.push(error)
    onProblem(error, what)
  }
  const headers = numbers.map((number) =>
    attempt(report, 'reading a header', () => headerOf(io, dir, number)),
  )
  const known = attempt(report, 'reading the writer id', () => readWriterFile(io, dir, onProblem))
  const writerId = known?.writerId ?? headers.findLast((header) => header !== undefined)?.writerId
  // A new id would make everything be counted a second time: only when there surely is none.
  if (writerId === undefined && problems[0] !== undefined) throw problems[0]
  const last = numbers.at(-1)
  const tail =
    last === undefined || writerId === undefined
      ? undefined
      : attempt(onProblem, 'cutting a torn tail', () =>
          cutTail(io, segmentPath(dir, last), frameSeed(writerId)),
        )
  const used = Math.max(
    known?.sequence ?? 0,
    tail?.sequence ?? 0,
    ...headers.map((header) => header?.firstSequence ?? 0),
  )
  const recovered = {
    writerId: writerId ?? randomBytes(16).toString('hex'),
    sequence: known === undefined && last === undefined ? 0 : used + sequenceJump,
    // A segment without frames is replaced, or a service that cannot stay up would fill the folder with them.
    nextNumber: last === undefined ? 1 : tail?.isEmpty === true ? last : last + 1,
    cutBytes: tail?.cutBytes ?? 0,
  }
  attempt(onProblem, 'keeping the writer id', () => saveWriterFile(io, dir, recovered))
  return recovered
}

/** The id of the writer of a directory: 32 hexadecimal digits, for life; `undefined` before the first start. */
export function readWriterId(io: JournalIo, dir: string): string | undefined {
  const known = readWriterFile(io, dir, () => {})
  if (known !== undefined) return known.writerId
  for (const number of listSegments(io, dir).toReversed()) {
    const header = headerOf(io, dir, number)
    if (header !== undefined) return header.writerId
  }
  return undefined
}

/** Runs one step of the recovery; the others go on when it fails. */
function attempt<T>(onProblem: Problem, what: string, step: () => T): T | undefined {
  try {
    return step()
  } catch (error) {
    onProblem(asError(error), what)
    return undefined
  }
}

function headerOf(io: JournalIo, dir: string, number: number): SegmentHeader | undefined {
  const fd = io.open(segmentPath(dir, number), 'r')
  try {
    return readHeader(io, fd)
  } finally {
    closeQuietly(io, fd)
  }
}

/** Cuts what follows the last good frame, and syncs what the last run may have left unsynced. */
function cutTail(
  io: JournalIo,
  path: string,
  seed: number,
): { sequence: number; cutBytes: number; isEmpty: boolean } {
  const fd = io.open(path, 'r+')
  try {
    const size = io.size(fd)
    const { end, sequence } = lastGoodFrame(io, fd, size, seed)
    // Without a good frame or a good header nothing says that these bytes are ours to cut.
    const keptBytes = Math.min(
      size,
      end > 0 ? end : readHeader(io, fd) === undefined ? size : segmentHeaderBytes,
    )
    if (keptBytes < size) io.truncate(fd, keptBytes)
    io.syncNow(fd)
    return { sequence, cutBytes: size - keptBytes, isEmpty: end === 0 && keptBytes <= segmentHeaderBytes }
  } finally {
    closeQuietly(io, fd)
  }
}

function lastGoodFrame(
  io: JournalIo,
  fd: number,
  size: number,
  seed: number,
): { end: number; sequence: number } {
  const window = Buffer.allocUnsafeSlow(Math.max(0, Math.min(size, 1024 * 1024)))
  const last = { end: 0, sequence: 0 }
  for (let position = segmentHeaderBytes; position < size;) {
    const length = readFully(io, fd, {
      bytes: window,
      length: Math.min(window.length, size - position),
      position,
    })
    if (length === 0) break
    let at = 0
    for (let found = 0; found !== -1; found = nextGoodFrame(window, at, length, seed)) {
      at = found
      for (
        let bytes = goodFrameBytes(window, at, length, seed);
        bytes > 0;
        bytes = goodFrameBytes(window, at, length, seed)
      ) {
        last.sequence = Math.max(last.sequence, frameSequence(window, at))
        at += bytes
        last.end = position + at
      }
    }
    // A frame cut by the window's end is seen whole in the next window.
    position = position + length >= size ? size : Math.max(position + at, position + length - frameBytesMax)
  }
  return last
}

function readWriterFile(
  io: JournalIo,
  dir: string,
  onProblem: Problem,
): { writerId: string; sequence: number } | undefined {
  const bytes = Buffer.alloc(128)
  let length: number
  try {
    const fd = io.open(join(dir, writerName), 'r')
    try {
      length = readFully(io, fd, { bytes, length: bytes.length, position: 0 })
    } finally {
      closeQuietly(io, fd)
    }
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined
    throw error
  }
  const text = bytes.toString('latin1', 0, length)
  const [, writerId, sequence, crc] = writerPattern.exec(text) ?? []
  if (writerId === undefined || crc !== checksum(text.slice(0, text.indexOf('\n') + 1))) {
    onProblem(new Error('the writer file is damaged'), 'reading the writer id')
    return undefined
  }
  return { writerId, sequence: Number(sequence) }
}

function saveWriterFile(io: JournalIo, dir: string, { writerId, sequence }: Recovered): void {
  const path = join(dir, writerName)
  const line = `everscan-writer 1 ${writerId} ${sequence}\n`
  const bytes = Buffer.from(`${line}${checksum(line)}\n`)
  const fd = io.open(`${path}.tmp`, 'w')
  try {
    const written = writeFully(io, fd, { bytes, from: 0, to: bytes.length, position: 0 })
    if (written.error !== undefined) throw written.error
    io.syncNow(fd)
  } finally {
    closeQuietly(io, fd)
  }
  io.rename(`${path}.tmp`, path)
  syncDirectoryNow(io, dir)
}

function checksum(text: string): string {
  return crc32(text).toString(16).padStart(8, '0')
}
