import assert from 'node:assert/strict'
import { tmpdir } from 'node:os'
import { test } from 'node:test'
import { isNearlyFull, readDiskRoom } from './disk-room.ts'

test('readDiskRoom returns the space of the fullest file system, without folders that do not exist', async () => {
  const room = await readDiskRoom([tmpdir(), '/there/is/no/such/folder'])
  assert.ok(room !== undefined && room.sizeBytes > 0 && room.freeBytes <= room.sizeBytes)
  assert.equal(await readDiskRoom(['/there/is/no/such/folder']), undefined)
})

test('a disk is nearly full below 5 %, and a large disk below 10 GiB', () => {
  const gib = 1024 ** 3
  assert.equal(isNearlyFull({ freeBytes: 0.9 * gib, sizeBytes: 20 * gib }), true)
  assert.equal(isNearlyFull({ freeBytes: 1.1 * gib, sizeBytes: 20 * gib }), false)
  assert.equal(isNearlyFull({ freeBytes: 11 * gib, sizeBytes: 4096 * gib }), false)
  assert.equal(isNearlyFull({ freeBytes: 9 * gib, sizeBytes: 4096 * gib }), true)
})
