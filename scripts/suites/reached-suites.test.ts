import assert from 'node:assert/strict'
import { test } from 'node:test'
import { reachedSuites } from './reached-suites.ts'

const sources = [
  { path: 'server/src/a/lowest.ts', text: 'export const one = 1\n' },
  { path: 'server/src/a/thread-main.ts', text: `import { one } from './lowest.ts'\n` },
  { path: 'server/src/a/thread.ts', text: `new Worker(new URL('./thread-main.ts', import.meta.url))\n` },
  { path: 'server/src/a/a.test.ts', text: `import { thread } from './thread.ts'\n` },
  { path: 'server/src/b/late.test.ts', text: `await import('../a/lowest.ts')\n` },
  { path: 'server/src/b/types.test.ts', text: `import type { One } from '../a/lowest.ts'\n` },
  { path: 'server/src/b/data.test.ts', text: `readFileSync(join(root, 'testdata', 'b.json'))\n` },
  { path: 'qr/src/q.test.ts', text: `import { one } from '@everscan/server/a/lowest.ts'\n` },
  { path: 'server/test/support/service.ts', text: `import { main } from '../../src/main.ts'\n` },
  { path: 'server/src/main.ts', text: `import './a/lowest.ts'\n` },
  { path: 'server/test/whole.test.ts', text: `import './support/service.ts'\n` },
  { path: 'server/test/own.test.ts', text: `import '@everscan/server/a/lowest.ts'\n` },
]
const files = sources.map(({ path }) => path).filter((path) => path.endsWith('.test.ts'))

test('a suite is reached through imports, threads, late imports and workspaces, and not by types', () => {
  const { suites, leftOut, why } = reachedSuites({ files, changed: ['server/src/a/lowest.ts'] }, sources)
  assert.deepEqual(suites, [
    'server/src/a/a.test.ts',
    'server/src/b/late.test.ts',
    'qr/src/q.test.ts',
    'server/test/own.test.ts',
  ])
  assert.deepEqual(leftOut, ['server/test/whole.test.ts'])
  assert.deepEqual(why, ['1 suite that starts services was left to the whole run'])
})

test('suites that start services run when their support changes', () => {
  const { suites, leftOut } = reachedSuites({ files, changed: ['server/test/support/service.ts'] }, sources)
  assert.deepEqual({ suites, leftOut }, { suites: ['server/test/whole.test.ts'], leftOut: [] })
})

test('a suite itself is reached, and one that reads a changed file of data', () => {
  const changed = ['server/src/b/types.test.ts', 'server/testdata/b.json', 'docs/unread.md']
  const { suites, why } = reachedSuites({ files, changed }, sources)
  assert.deepEqual(suites, ['server/src/b/types.test.ts', 'server/src/b/data.test.ts'])
  assert.equal(why[0], 'no source names docs/unread.md')
})

test('packages, migrations and the runner reach every suite', () => {
  for (const path of [
    'package-lock.json',
    'qr/package.json',
    'server/src/db/migrations/1.ts',
    'scripts/test.ts',
  ]) {
    const { suites, leftOut } = reachedSuites({ files, changed: [path] }, sources)
    assert.deepEqual({ suites, leftOut }, { suites: files, leftOut: [] }, path)
  }
})
