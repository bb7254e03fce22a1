import assert from 'node:assert/strict'
import { test } from 'node:test'
import { crc32 } from 'node:zlib'
import { encodeFrame, frameScan, frameSeed, goodFrameBytes } from './frames.ts'
import { prepareScan, type JournalBuffer, type RawScan } from './raw-scan.ts'

const writer = 'ab'.repeat(16)
const seed = frameSeed(writer)
const scan: RawScan = {
  timeMs: Date.UTC(2026, 10, 25),
  organizationId: 'org_1',
  qrCodeId: 'qr_1',
  shortCode: '7K3QX9A',
  domain: 'go.example.com',
  rule: 'rul_1',
  arm: 'B',
  visitor: 'cd'.repeat(16),
  network: '203.0.113.0',
  userAgent: 'Mozilla/5.0 é',
  referrerHost: 'example.org',
  language: 'de-CH',
  app: 'Brave',
  hints: 16,
}

test('a frame that is written is read with all its fields', () => {
  const bytes = frameOf(scan)
  assert.equal(goodFrameBytes(bytes, 0, bytes.length, seed), bytes.length)
  assert.deepEqual(frameScan(bytes, 0), scan)
})

test('frames of releases without apps are read, whatever their text is', () => {
  const bytes = frameOf({ ...scan, app: '' })
  const app = bytes.indexOf('example.org') + 'example.org'.length
  assert.equal(bytes[app], 0)
  const frame = Buffer.concat([bytes.subarray(0, app), bytes.subarray(app + 1)])
  frame[5] = 0xe6
  frame.writeUInt16LE(frame.length - 16, 6)
  frame.writeUInt32LE(crc32(frame.subarray(4), seed), 0)
  assert.equal(goodFrameBytes(frame, 0, frame.length, seed), frame.length)
  assert.deepEqual(frameScan(frame, 0), { ...scan, app: '' })
})

test('a version that this release does not know is no frame', () => {
  const frame = frameOf(scan)
  frame[5] = 0xe8
  frame.writeUInt32LE(crc32(frame.subarray(4), seed), 0)
  assert.equal(goodFrameBytes(frame, 0, frame.length, seed), 0)
})

function frameOf(written: RawScan): Buffer {
  const bytes = Buffer.alloc(4096) as JournalBuffer
  const end = encodeFrame(bytes, 0, { sequence: 1, seed, scan: prepareScan(written) })
  return Buffer.from(bytes.subarray(0, end))
}
