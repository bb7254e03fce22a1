import assert from 'node:assert/strict'
import { statfsSync } from 'node:fs'
import { test } from 'node:test'
import { folder } from './copy-file-testing.ts'
import { refuseLittleRoom, sizeText } from './room.ts'

test('a copy needs 1.2 times its estimate of free room', async (t) => {
  const dir = folder(t)
  const { bavail, bsize } = statfsSync(dir)
  const freeBytes = bavail * bsize
  await refuseLittleRoom(dir, freeBytes / 1.3)
  await assert.rejects(refuseLittleRoom(dir, freeBytes / 1.1), (error: Error) => {
    assert.match(error.message, / has [\d.]+ [GT]iB of free room, and [\d.]+ [GT]iB are needed\. Free some/)
    return error.message.startsWith(dir)
  })
})

test('sizes are told in the unit that people read', () => {
  const texts = [0, 1, 1023, 1024, 1536, 5 * 1024 ** 2, 1.25 * 1024 ** 3, 2 ** 60].map(sizeText)
  assert.deepEqual(texts, [
    '0 bytes',
    '1 bytes',
    '1023 bytes',
    '1 KiB',
    '1.5 KiB',
    '5 MiB',
    '1.3 GiB',
    '1024 PiB',
  ])
})
