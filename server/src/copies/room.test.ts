import assert from 'node:assert/strict'
import { statfsSync } from 'node:fs'
import { test } from 'node:test'
import { folder } from './testing/copy-file.ts'
import { requireFreeSpace } from './room.ts'

test('a copy needs 1.2 times its estimated size as free space', async (t) => {
  const dir = folder(t)
  const { bavail, bsize } = statfsSync(dir)
  const freeBytes = bavail * bsize
  await requireFreeSpace(dir, freeBytes / 1.3)
  await assert.rejects(requireFreeSpace(dir, freeBytes / 1.1), (error: Error) => {
    assert.match(error.message, / has [\d.]+ [GT]iB of free space, but [\d.]+ [GT]iB are needed\. Free some/)
    return error.message.startsWith(dir)
  })
})
