import { frameBytesMax, frameSeed, frameSequence, goodFrameBytes, nextGoodFrame } from './frames.ts'
import { closeQuietly, errorCode, fileSystem, readFully, type JournalIo } from './journal-io.ts'
import { listSegments, readHeader, segmentHeaderBytes, segmentPath } from './segments.ts'
import { segmentWriters } from './writers.ts'

const tailBytes = 256 * 1024

/** The end of a writer's frames. */
export type WriterEnd = {
  writer: string
  /**
   * The sequence of its last whole frame in the folder, which is the last one that reading to the
   * end yields. 0 if there is none.
   */
  sequence: number
  /** Whether it may still be writing. */
  isLast: boolean
}

/**
 * Returns the writers that have segments in a folder, oldest first. Reads only the ends of their
 * last segments. Throws errors of the file system.
 */
export function writerEnds(dir: string, io: JournalIo = fileSystem): WriterEnd[] {
  const numbers = listSegments(io, dir)
  const writers = segmentWriters(io, dir, numbers)
  const paths = Map.groupBy(
    numbers.map((number) => segmentPath(dir, number)),
    (_, index) => writers[index],
  )
  paths.delete(undefined)
  return [...paths].map(([writer = '', ofWriter]) => ({
    writer,
    sequence: lastSequence(io, ofWriter, writer),
    isLast: writer === writers.at(-1),
  }))
}

function lastSequence(io: JournalIo, paths: readonly string[], writer: string): number {
  let sequenceEnd = Infinity
  for (const path of paths.toReversed()) {
    try {
      const last = lastSequenceOf(io, path, { writer, sequenceEnd })
      if (last !== undefined) return last
      // The frames that a segment begins with are not read from the one before it.
      sequenceEnd = firstSequenceOf(io, path) ?? sequenceEnd
    } catch (error) {
      // If the segment was removed since it was listed, it and all before it were ingested.
      if (errorCode(error) === 'ENOENT') return 0
      throw error
    }
  }
  return 0
}

/** Returns the last sequence of one segment below `sequenceEnd`. */
export function lastSequenceOf(
  io: JournalIo,
  path: string,
  { writer, sequenceEnd = Infinity }: { writer: string; sequenceEnd?: number },
): number | undefined {
  const seed = frameSeed(writer)
  const fd = io.open(path, 'r')
  try {
    for (let size = io.size(fd); size > segmentHeaderBytes;) {
      const from = Math.max(segmentHeaderBytes, size - tailBytes)
      const { sequence } = lastGoodFrame(io, fd, { from, size, seed, sequenceEnd })
      if (sequence > 0) return sequence
      // A frame cut by the beginning of this part is whole in the part before it.
      size = from === segmentHeaderBytes ? from : from + frameBytesMax
    }
    return undefined
  } finally {
    closeQuietly(io, fd)
  }
}

/** Returns the first sequence according to a segment's header; `undefined` if that is damaged. */
function firstSequenceOf(io: JournalIo, path: string): number | undefined {
  const fd = io.open(path, 'r')
  try {
    return readHeader(io, fd)?.firstSequence
  } finally {
    closeQuietly(io, fd)
  }
}

/**
 * Returns the end of the last good frame between two positions, and the highest sequence there
 * below `sequenceEnd`. Both are 0 if there is none. `from` may be in the middle of a frame.
 */
export function lastGoodFrame(
  io: JournalIo,
  fd: number,
  {
    from,
    size,
    seed,
    sequenceEnd = Infinity,
  }: { from: number; size: number; seed: number; sequenceEnd?: number },
): { end: number; sequence: number } {
  const window = Buffer.allocUnsafeSlow(Math.max(0, Math.min(size - from, 1024 * 1024)))
  const last = { end: 0, sequence: 0 }
  for (let position = from; position < size;) {
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
        const sequence = frameSequence(window, at)
        if (sequence < sequenceEnd) last.sequence = Math.max(last.sequence, sequence)
        at += bytes
        last.end = position + at
      }
    }
    // A frame cut by the end of the window is whole in the next window.
    position = position + length >= size ? size : Math.max(position + at, position + length - frameBytesMax)
  }
  return last
}
