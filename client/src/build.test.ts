import assert from 'node:assert/strict'
import { glob, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { build } from '../build.ts'
import { isRecord } from '@everscan/contract/schema/records.ts'

test('the compiled client has no imports from outside, and works', async (t) => {
  const dir = await mkdtemp(join(tmpdir(), 'everscan-client-'))
  t.after(() => rm(dir, { recursive: true, force: true }))
  await build(dir)

  const imports = { js: new Set<string>(), declarations: new Set<string>() }
  for await (const file of glob('**/*.{js,d.ts}', { cwd: dir })) {
    const found = file.endsWith('.js') ? imports.js : imports.declarations
    const text = await readFile(join(dir, file), 'utf8')
    for (const [, name = ''] of text.matchAll(/(?:from|import\()\s*['"]([^'"]+)['"]/g)) found.add(name)
  }
  for (const name of imports.js) assert.match(name, /^\.\/[\w-]+\.js$/)
  for (const name of imports.declarations) assert.match(name, /^(\.\.?\/[\w./-]+\.js|typebox)$/)

  const module: unknown = await import(join(dir, 'client/src/create-client.js'))
  assert.ok(isRecord(module) && typeof module['createClient'] === 'function' && 'EverscanError' in module)
})
