import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { inherited, startService, until } from '../support/service.ts'

test('after `compile` no process of a service strips types, which would keep the type stripper in memory', async (t) => {
  const cache = mkdtempSync(join(tmpdir(), 'everscan-compiled-'))
  t.after(() => rmSync(cache, { recursive: true, force: true }))
  const entry = join(import.meta.dirname, '..', '..', 'src', 'main.mjs')
  execFileSync(process.execPath, [entry, 'compile'], { env: { ...inherited(), NODE_COMPILE_CACHE: cache } })

  const service = await startService({ NODE_COMPILE_CACHE: cache, NODE_DEBUG_NATIVE: 'COMPILE_CACHE' })
  t.after(() => service.remove())
  // Debugging output of several processes arrives late, and one may break the lines of another.
  for (const role of ['prepare', 'front', 'api', 'worker', 'engine'])
    await until(role, () => service.output().includes(`app/${role}.ts`))
  const missed = service
    .output()
    .split('\n')
    .filter((line) => line.includes('no transpile cache for StrippedTypeScript'))
  assert.deepEqual(missed, [])
})
