import { frameBytesMax, frameSeed, frameSequence, goodFrameBytes, nextGoodFrame } from './frames.ts'
import { closeQuietly, errorCode, fileSystem, readFully, type JournalIo } from './journal-io.ts'
import { listSegments, readHeader, segmentHeaderBytes, segmentPath } from './segments.ts'
import { segmentWriters } from './writers.ts'

const tailBytes = 256 * 1024

/** How far a writer recorded. */
export type WriterEnd = {
  writer: string
  /** Of its last frame that stands whole in the folder: the last one that reading it to its end gives; 0 without any. */
  sequence: number
  /** It may be writing. */
  isLast: boolean
}

/** The writers that have segments in a folder, the oldest first. Reads the ends of their last segments only. Throws what the file system throws. */
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
      // What a segment begins with is not read from the one before it.
      sequenceEnd = firstSequenceOf(io, path) ?? sequenceEnd
    } catch (error) {
      // Removed since it was listed: it and all before it were ingested.
      if (errorCode(error) === 'ENOENT') return 0
      throw error
    }
  }
  return 0
}

/** Of one segment, below `sequenceEnd`. */
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
      // A frame that the beginning of this part cuts is seen whole in the part before it.
      size = from === segmentHeaderBytes ? from : from + frameBytesMax
    }
    return undefined
  } finally {
    closeQuietly(io, fd)
  }
}

/** As its header says; `undefined` where that is damaged. */
function firstSequenceOf(io: JournalIo, path: string): number | undefined {
  const fd = io.open(path, 'r')
  try {
    return readHeader(io, fd)?.firstSequence
  } finally {
    closeQuietly(io, fd)
  }
}

/**
 * Where the last good frame between two places ends, and the highest sequence there, below `sequenceEnd`; both 0: there is none.
 * `from` may be in the middle of a frame.
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
    // A frame cut by the window's end is seen whole in the next window.
    position = position + length >= size ? size : Math.max(position + at, position + length - frameBytesMax)
  }
  return last
}
