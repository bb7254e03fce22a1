import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { inherited, startService } from '../support/service.ts'

test('after `compile` no process of a service strips types, which would keep the type stripper in memory', async (t) => {
  const cache = mkdtempSync(join(tmpdir(), 'everscan-compiled-'))
  t.after(() => rmSync(cache, { recursive: true, force: true }))
  const entry = join(import.meta.dirname, '..', '..', 'src', 'main.mjs')
  execFileSync(process.execPath, [entry, 'compile'], { env: { ...inherited(), NODE_COMPILE_CACHE: cache } })

  const service = await startService({ NODE_COMPILE_CACHE: cache, NODE_DEBUG_NATIVE: 'COMPILE_CACHE' })
  t.after(() => service.remove())
  const lines = service.output().split('\n')
  const sources = (what: string) =>
    lines.flatMap((line) => (line.includes(`${what} for StrippedTypeScript`) ? [line.split('/src/')[1]] : []))
  for (const role of ['prepare', 'front', 'api', 'worker', 'engine'])
    assert.ok(
      sources('retrieving transpile cache').some((file) => file?.startsWith(`app/${role}.ts`)),
      role,
    )
  assert.deepEqual(sources('no transpile cache'), [])
})
