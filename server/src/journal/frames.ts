import { crc32 } from 'node:zlib'
import {
  decodeScan,
  encodeScan,
  scanBytesMax,
  type FrameVersion,
  type JournalBuffer,
  type PreparedScan,
  type RawScan,
} from './raw-scan.ts'

// A frame, little-endian:
// 0 crc u32 | 4 mark u16 | 6 payload length u16 | 8 sequence u64 | 16 payload
//
// The CRC covers everything after itself and starts from a seed of the writer, which no scanner
// knows. The mark is not valid UTF-8. Therefore nothing that a scanner sends is mistaken for a
// frame when a damaged range is skipped. The mark also contains the version of the payload, because
// a frame must be readable even where the header of its segment is damaged.
export const frameHeaderBytes = 16
export const frameBytesMax = frameHeaderBytes + scanBytesMax
const markLow = 0xca
const markHighs: Readonly<Record<FrameVersion, number>> = { 1: 0xe5, 2: 0xe6, 3: 0xe7 }
const written = markHighs[3]
const high = 0x1_0000_0000

/**
 * Returns the start value of the CRCs of a writer's frames. `writerId` is 32 hexadecimal digits.
 */
export function frameSeed(writerId: string): number {
  return crc32(Buffer.from(writerId, 'hex'))
}

/** Writes a frame at `at` and returns its end. Needs `frameBytesMax` bytes of room. */
export function encodeFrame(
  bytes: JournalBuffer,
  at: number,
  { sequence, seed, scan }: { sequence: number; seed: number; scan: PreparedScan },
): number {
  const end = encodeScan(bytes, at + frameHeaderBytes, scan)
  const length = end - at - frameHeaderBytes
  const sequenceHigh = Math.floor(sequence / high)
  bytes[at + 4] = markLow
  bytes[at + 5] = written
  bytes[at + 6] = length
  bytes[at + 7] = length >>> 8
  bytes[at + 8] = sequence
  bytes[at + 9] = sequence >>> 8
  bytes[at + 10] = sequence >>> 16
  bytes[at + 11] = sequence >>> 24
  bytes[at + 12] = sequenceHigh
  bytes[at + 13] = sequenceHigh >>> 8
  bytes[at + 14] = sequenceHigh >>> 16
  bytes[at + 15] = 0
  const crc = crc32(bytes.subarray(at + 4, end), seed)
  bytes[at] = crc
  bytes[at + 1] = crc >>> 8
  bytes[at + 2] = crc >>> 16
  bytes[at + 3] = crc >>> 24
  return end
}

/**
 * Returns the length in bytes of the whole, undamaged frame at `at`, or 0 if there is none before
 * `end`.
 */
export function goodFrameBytes(bytes: Buffer, at: number, end: number, seed: number): number {
  if (at + frameHeaderBytes > end || bytes[at + 4] !== markLow) return 0
  const markHigh = bytes[at + 5]
  if (markHigh === undefined || markHigh < markHighs[1] || markHigh > markHighs[3]) return 0
  const length = frameBytes(bytes, at)
  if (length > frameBytesMax || at + length > end) return 0
  return crc32(bytes.subarray(at + 4, at + length), seed) === bytes.readUInt32LE(at) ? length : 0
}

/** Returns the start of the next whole, undamaged frame at or after `from`, or -1. */
export function nextGoodFrame(bytes: Buffer, from: number, end: number, seed: number): number {
  for (let mark = from + 4; ; mark++) {
    mark = bytes.indexOf(markLow, mark)
    if (mark === -1 || mark - 4 + frameHeaderBytes > end) return -1
    if (goodFrameBytes(bytes, mark - 4, end, seed) > 0) return mark - 4
  }
}

/** Returns the length in bytes that the frame at `at` claims to have. */
export function frameBytes(bytes: Buffer, at: number): number {
  return frameHeaderBytes + bytes.readUInt16LE(at + 6)
}

export function frameSequence(bytes: Buffer, at: number): number {
  return bytes.readUInt32LE(at + 8) + bytes.readUInt32LE(at + 12) * high
}

/** Decodes the scan of the good frame at `at`, which has `frameBytes` bytes. */
export function frameScan(bytes: Buffer, at: number): RawScan {
  const version = ((bytes[at + 5] ?? 0) - markHighs[1] + 1) as FrameVersion
  return decodeScan(bytes, at + frameHeaderBytes, at + frameBytes(bytes, at), version)
}

/**
 * Returns the end and the number of the frames that are whole in `bytes[from, to)`. Does not check
 * them, because this process wrote the bytes.
 */
export function wholeFrames(bytes: Buffer, from: number, to: number): { end: number; count: number } {
  let end = from
  let count = 0
  while (end + frameHeaderBytes <= to) {
    const next = end + frameBytes(bytes, end)
    if (next > to) break
    end = next
    count++
  }
  return { end, count }
}
