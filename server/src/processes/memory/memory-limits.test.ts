import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { readMemory, smallMemory } from '../memory-limits.ts'

const root = mkdtempSync(join(tmpdir(), 'everscan-memory-'))
after(() => rmSync(root, { recursive: true }))

const both = '9:name=systemd:/\n4:memory:/service/one\n0::/\n'
const statOf = (limit: string): string => `cache 4096\nhierarchical_memory_limit ${limit}\ntotal_cache 8192\n`

/** The files of a system, and what is read from them. */
const systems: Record<string, readonly [Record<string, string>, number | undefined, number]> = {
  'version 2': [
    {
      'proc/self/cgroup': '0::/system.slice/one.service\n',
      'groups/system.slice/one.service/memory.max': '536870912\n',
      'groups/system.slice/one.service/memory.events': 'low 0\noom 3\noom_kill 2\n',
    },
    536_870_912,
    2,
  ],
  'version 2 without a limit': [
    { 'proc/self/cgroup': '0::/one\n', 'groups/one/memory.max': 'max\n' },
    undefined,
    0,
  ],
  'version 1, whose limit is that of all groups above': [
    {
      'proc/self/cgroup': both,
      'groups/memory/service/one/memory.stat': statOf('402653184'),
      'groups/memory/service/one/memory.oom_control': 'oom_kill_disable 0\noom_kill 4\n',
    },
    402_653_184,
    4,
  ],
  'version 1 in a container': [
    { 'proc/self/cgroup': both, 'groups/memory/memory.stat': statOf('402653184') },
    402_653_184,
    0,
  ],
  'version 1 beside other controllers': [
    {
      'proc/self/cgroup': '5:cpu,memory:/one\n',
      'groups/memory/one/memory.stat': statOf('402653184'),
    },
    402_653_184,
    0,
  ],
  'version 1 without a limit': [
    { 'proc/self/cgroup': both, 'groups/memory/service/one/memory.stat': statOf('9223372036854771712') },
    undefined,
    0,
  ],
  'no control groups': [{}, undefined, 0],
}

for (const [name, [files, limitBytes, oomKills]] of Object.entries(systems))
  test(`the limit of memory is read with ${name}`, () => {
    const folder = join(root, name)
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), text)
    }
    const read = readMemory({ proc: join(folder, 'proc'), groups: join(folder, 'groups') })
    assert.deepEqual([read.limitBytes, read.oomKills], [limitBytes, oomKills])
  })

test('only a service with less than 1 GB gets smaller heaps', () => {
  const gib = 1024 ** 3
  assert.deepEqual(smallMemory({ limitBytes: gib / 2 }).words, ['--max-old-space-size=128'])
  for (const limitBytes of [gib, undefined])
    assert.deepEqual(smallMemory({ limitBytes }), { words: [], environment: {} })
})
