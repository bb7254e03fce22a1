import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { inherited, startService } from '../support/service.ts'

test('after `compile` every process of a service runs the bundle, and finds all of it compiled', async (t) => {
  const cache = mkdtempSync(join(tmpdir(), 'everscan-compiled-'))
  t.after(() => rmSync(cache, { recursive: true, force: true }))
  const entry = join(import.meta.dirname, '..', '..', 'src', 'main.mjs')
  execFileSync(process.execPath, [entry, 'compile'], { env: { ...inherited(), NODE_COMPILE_CACHE: cache } })

  const service = await startService({ NODE_COMPILE_CACHE: cache, NODE_DEBUG_NATIVE: 'COMPILE_CACHE' })
  t.after(() => service.remove())
  // Several processes write into one pipe: lines break, and some are lost while it is full.
  await service.stop()
  const loaded = service.output().match(/ESM \S*\/server\/dist\/bundle\/\S*\.mjs/g) ?? []
  assert.ok(
    loaded.length > 500,
    `${loaded.length} of some thousand: run "node scripts/build.mjs" after a change`,
  )
  assert.doesNotMatch(service.output(), /\.ts\b/)
  const missed = service.output().match(/for \w+ \S*\/server\/\S* was (not initialized|rejected)/g)
  assert.equal(missed, null)
})
