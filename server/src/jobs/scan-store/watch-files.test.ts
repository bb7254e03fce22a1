import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ScanSegment } from '../../analytics/files/manifest.ts'
import type { Log } from '../../log.ts'
import { watchChores } from './watch-files.ts'

test('files are looked at and read from time to time, and wrong ones are logged', async () => {
  const segment: ScanSegment = {
    id: 'seg_1',
    level: 1,
    rows: 1,
    bytes: 9,
    checksum: 1,
    fromMs: 1,
    toMs: 1,
    stretches: [],
  }
  const calls: string[] = []
  const logged: unknown[] = []
  const log = { error: (fields: unknown) => void logged.push(fields) } as unknown as Log
  const { signal } = new AbortController()
  let isOpen = false
  const batches = {
    watchFiles: async (how: string) => {
      calls.push(how)
      return how === 'look' ? [] : [segment]
    },
  }
  const chores = watchChores(() => (isOpen ? batches : undefined), { log, signal })
  assert.ok(chores.every(({ everyMs }) => everyMs <= 600_000))
  const runAll = async () => {
    for (const { run } of chores) await run(null as never, 0)
  }
  await runAll()
  assert.deepEqual([calls, logged], [[], []])
  isOpen = true
  await runAll()
  assert.deepEqual([calls, logged], [['look', 'readNext'], [{ files: ['seg_1'], count: 1 }]])
})
