import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { frameSeed, nextGoodFrame } from './frames.ts'
import {
  closeQuietly,
  errorCode,
  readFully,
  syncDirectoryNow,
  writeFully,
  type JournalIo,
} from './journal-io.ts'
import { readHeader, segmentHeaderBytes, segmentPath } from './segments.ts'

const writerName = 'writer'
const filePattern = /^everscan-writers 2 ([0-9a-f]{32}(?:,[0-9a-f]{32})*) (\d{1,16})\n([0-9a-f]{8})\n$/
/** The writer file of releases whose directories had one writer for life. */
const firstFilePattern = /^everscan-writer 1 ([0-9a-f]{32}) (\d{1,16})\n([0-9a-f]{8})\n$/
const fileBytesMax = 4096
const idsMax = 100
const lookBytes = 1024 * 1024

/** The writers of a directory, the last one first, and the last sequence that counts as used. */
export type WriterFile = { writerIds: readonly string[]; sequence: number }

/**
 * Reads the writer file. Returns `undefined` if it is missing, or if it is damaged, which is
 * reported to `onProblem`.
 */
export function readWriterFile(
  io: JournalIo,
  dir: string,
  onProblem: (error: Error, what: string) => void = () => {},
): WriterFile | undefined {
  const bytes = Buffer.alloc(fileBytesMax)
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
  const [, ids, sequence, crc] = filePattern.exec(text) ?? firstFilePattern.exec(text) ?? []
  if (ids === undefined || crc !== checksum(text.slice(0, text.indexOf('\n') + 1))) {
    onProblem(new Error('the writer file is damaged'), 'reading the writer ids')
    return undefined
  }
  return { writerIds: ids.split(','), sequence: Number(sequence) }
}

/** Replaces the writer file, durably. Throws errors of the file system. */
export function saveWriterFile(io: JournalIo, dir: string, { writerIds, sequence }: WriterFile): void {
  const path = join(dir, writerName)
  const line = `everscan-writers 2 ${writerIds.slice(0, idsMax).join(',')} ${sequence}\n`
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

/**
 * Returns the writer of a segment according to its header. If the header is damaged, returns the
 * one of `candidates` whose frames the segment contains. Returns `undefined` if it contains none of
 * theirs, or no longer exists.
 */
export function segmentWriter(
  io: JournalIo,
  path: string,
  candidates: () => readonly string[],
): string | undefined {
  let fd: number
  try {
    fd = io.open(path, 'r')
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined
    throw error
  }
  try {
    const header = readHeader(io, fd)
    if (header !== undefined) return header.writerId
    const bytes = Buffer.allocUnsafeSlow(Math.min(lookBytes, Math.max(0, io.size(fd) - segmentHeaderBytes)))
    const length = readFully(io, fd, { bytes, length: bytes.length, position: segmentHeaderBytes })
    return candidates().find((id) => nextGoodFrame(bytes, 0, length, frameSeed(id)) !== -1)
  } finally {
    closeQuietly(io, fd)
  }
}

/**
 * Returns the writer of each of these segments of a directory. A segment with a damaged header
 * belongs to a writer of the other segments or of the writer file, according to its frames. A
 * segment in which nothing can be read is assigned to the writer of the segment before it.
 */
export function segmentWriters(
  io: JournalIo,
  dir: string,
  numbers: readonly number[],
): (string | undefined)[] {
  const writers = numbers.map((number) => segmentWriter(io, segmentPath(dir, number), () => []))
  const known = [...new Set(writers.filter((id) => id !== undefined))]
  for (const [index, number] of numbers.entries()) {
    if (writers[index] !== undefined) continue
    const named = (): string[] => [...known, ...(readWriterFile(io, dir)?.writerIds ?? [])]
    writers[index] =
      segmentWriter(io, segmentPath(dir, number), named) ??
      writers[index - 1] ??
      writers.slice(index).find((id) => id !== undefined) ??
      readWriterFile(io, dir)?.writerIds[0]
  }
  return writers
}
