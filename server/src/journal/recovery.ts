import { randomBytes } from 'node:crypto'
import { dirname } from 'node:path'
import { frameSeed } from './frames.ts'
import { asError, closeQuietly, syncDirectoryNow, type JournalIo } from './journal-io.ts'
import { lastGoodFrame } from './last-sequence.ts'
import { listSegments, readHeader, segmentHeaderBytes, segmentPath, type SegmentHeader } from './segments.ts'
import { readWriterFile, saveWriterFile, segmentWriter } from './writers.ts'

/**
 * At every start, sequences continue this far above the last one found: more frames than memory can
 * hold unsynced. Therefore, if a power loss takes frames that were already read, their sequences
 * are never assigned to other frames.
 */
export const sequenceJump = 2 ** 28

export type Recovered = {
  /** A new id: see `recoverDirectory`. */
  writerId: string
  /** The last sequence that counts as used. */
  sequence: number
  nextNumber: number
  /** Bytes that the last stop left unfinished, and that were cut off. */
  cutBytes: number
}

type Problem = (error: Error, what: string) => void

/**
 * Prepares a directory for a new segment, whatever state it is in, and names its new writer.
 *
 * A writer lives from one start to the next. Its id and its sequences identify a scan forever, so
 * an id is never used by a second process: neither after an older copy of the directory was
 * restored, nor by a clone of it. The last segment loses its torn tail and is synced. Damage before
 * a good frame stays for the reader, which skips it. Throws if the directory cannot be created or
 * listed.
 */
export function recoverDirectory(io: JournalIo, dir: string, onProblem: Problem): Recovered {
  io.makeDirectory(dir)
  attempt(onProblem, 'syncing the parent directory', () => syncDirectoryNow(io, dirname(dir)))
  const numbers = listSegments(io, dir)
  const headers = numbers.map((number) =>
    attempt(onProblem, 'reading a header', () => headerOf(io, dir, number)),
  )
  const known = attempt(onProblem, 'reading the writer ids', () => readWriterFile(io, dir, onProblem))
  const ids = [
    ...new Set([
      ...(known?.writerIds ?? []),
      ...headers.flatMap((header) => (header === undefined ? [] : [header.writerId])).toReversed(),
    ]),
  ]
  const last = numbers.at(-1)
  const tail =
    last === undefined
      ? undefined
      : attempt(onProblem, 'cutting a torn tail', () => cutTail(io, segmentPath(dir, last), ids))
  const used = Math.max(
    known?.sequence ?? 0,
    tail?.sequence ?? 0,
    ...headers.map((header) => header?.firstSequence ?? 0),
  )
  const recovered = {
    writerId: randomBytes(16).toString('hex'),
    sequence: known === undefined && last === undefined ? 0 : used + sequenceJump,
    // A segment without frames is replaced. Otherwise a service that cannot stay up would fill the
    // folder with them.
    nextNumber: last === undefined ? 1 : tail?.isEmpty === true ? last : last + 1,
    cutBytes: tail?.cutBytes ?? 0,
  }
  const { writerId, sequence } = recovered
  attempt(onProblem, 'keeping the writer ids', () =>
    saveWriterFile(io, dir, { writerIds: [writerId, ...ids], sequence }),
  )
  return recovered
}

/** Runs one step of the recovery. If it fails, the others run nevertheless. */
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

/**
 * Cuts off everything after the last good frame, and syncs what the last run may have left
 * unsynced.
 */
function cutTail(
  io: JournalIo,
  path: string,
  writerIds: readonly string[],
): { sequence: number; cutBytes: number; isEmpty: boolean } {
  const writerId = segmentWriter(io, path, () => writerIds)
  const fd = io.open(path, 'r+')
  try {
    const size = io.size(fd)
    const { end, sequence } =
      writerId === undefined
        ? { end: 0, sequence: 0 }
        : lastGoodFrame(io, fd, { from: segmentHeaderBytes, size, seed: frameSeed(writerId) })
    // Without a good frame or a good header, nothing shows that these bytes belong to the journal
    // and may be cut off.
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
