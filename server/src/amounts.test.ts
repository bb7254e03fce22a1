import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bytesText, countText } from './amounts.ts'

test('bytesText picks the largest fitting unit, up to TiB', () => {
  const texts = [0, 1, 1023, 1024, 1536, 5 * 1024 ** 2, 1.25 * 1024 ** 3, 2 ** 60].map(bytesText)
  assert.deepEqual(texts, ['0 B', '1 B', '1023 B', '1 KiB', '1.5 KiB', '5 MiB', '1.3 GiB', '1048576 TiB'])
})

test('countText uses the singular for 1, and groups thousands', () => {
  const texts = [0, 1, 2, 5_000_000].map((count) => countText(count, 'scan'))
  assert.deepEqual(texts, ['0 scans', '1 scan', '2 scans', '5,000,000 scans'])
})
