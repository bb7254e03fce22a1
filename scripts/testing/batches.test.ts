import assert from 'node:assert/strict'
import { test } from 'node:test'
import { batchesOf } from './batches.ts'

const names = (folder: string, count: number): string[] =>
  Array.from({ length: count }, (_, at) => `${folder}/${String(at)}.test.ts`)

test('suites of a workspace, and service suites of a room, share processes of equal size', () => {
  const files = [
    ...names('server/src/api/codes', 6),
    ...names('server/src/scan', 8),
    ...names('server/test/hosts', 10),
    ...names('server/test/pages', 1),
    ...names('qr/src/content', 2),
  ]
  const batches = batchesOf(files, () => '')
  assert.deepEqual(
    batches.map((batch) => batch.length),
    [7, 7, 5, 5, 1, 2],
  )
  assert.deepEqual(batches.flat(), files)
})

test('a suite that says why it needs a process of its own has one', () => {
  const files = names('server/src/api/events', 3)
  const says = '// In a process of its own: it reads all transactions of the server.\n'
  assert.deepEqual(
    batchesOf(files, (file) => (file === files[1] ? says : '// A process of its own.\n')),
    [[files[1]], [files[0], files[2]]],
  )
})
