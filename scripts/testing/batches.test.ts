import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { batchesOf, readSuite, variantSign } from './batches.ts'

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

test('a suite that is left to the soak names suites that are not, which prove its promise', () => {
  const root = join(import.meta.dirname, '..', '..')
  const read = readSuite(root)
  const all = globSync('*/{src,test}/**/*.test.ts', { cwd: root })
  const left = all.filter((file) => variantSign.test(read(file)))
  const whole = all.filter((file) => !left.includes(file))
  assert.ok(left.length > 0 && left.length < all.length / 10, `${left.length} of ${all.length}`)
  const promises = read('CONTRIBUTING.md')
    .split('\n')
    .filter((line) => /^\|.*\.test\.ts/.test(line))
  const proofs = promises.map((line) => line.split('|')[2] ?? '')
  assert.ok(proofs.length > 5)
  for (const file of left) {
    assert.ok(!proofs.some((links) => links.includes(file)), `CONTRIBUTING.md names ${file}`)
    const says = /^\/\/ Left to the soak: [^.]+\./m.exec(read(file))?.[0] ?? ''
    const named = [...says.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)
    assert.ok(named.length > 0, `${file}: ${says}`)
    for (const name of named)
      assert.ok(
        whole.some(
          (suite) =>
            suite.includes(`/${name}/`) || suite.endsWith(`/${name}.test.ts`) || suite.startsWith(`${name}/`),
        ),
        `${file} names ${name}`,
      )
  }
})
