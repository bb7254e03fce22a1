import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readLock, type LockEntry } from '../packages.ts'
import { megabytesMax } from './installed-files.mjs'
import { placesForRunning, sizesOf } from './sizes.ts'

test('an installation and the image are no larger than the documents say', (t) => {
  const { largest, ...sizes } = sizesOf(readLock())
  const text = largest.map(([place, size]) => `${place}: ${size.toFixed(1)} MB`).join('\n')
  for (const name of ['installation', 'image'] as const) {
    t.diagnostic(`${name}: ${sizes[name].toFixed(1)} MB`)
    assert.ok(sizes[name] <= megabytesMax[name], `${name}: ${sizes[name].toFixed(1)} MB\n${text}`)
  }
})

test('packages for running are those of the service and what they need, wherever they are', () => {
  const packages: Record<string, LockEntry> = {
    '': { optionalDependencies: { node: '1', 'of-another-machine': '1' } },
    server: { dependencies: { a: '1', '@everscan/qr': '*' } },
    qr: { dependencies: { b: '1' } },
    'node_modules/@everscan/qr': { resolved: 'qr', link: true },
    'node_modules/node': {},
    'node_modules/a': { dependencies: { b: '2' } },
    'node_modules/a/node_modules/b': { peerDependencies: { c: '1', 'optional-peer': '1' } },
    'node_modules/b': {},
    'node_modules/c': {},
    'node_modules/only-for-tests': {},
    web: { dependencies: { 'only-for-tests': '1' } },
  }
  assert.deepEqual(
    placesForRunning({ packages }).toSorted(),
    ['a', 'a/node_modules/b', 'b', 'c', 'node'].map((name) => `node_modules/${name}`).toSorted(),
  )
})
