import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

/** What needs Node; the dashboard takes the rest as it is. */
const nodeFiles = [
  'logo-data.ts',
  'eps.ts',
  'pdf.ts',
  'pdf-layers.ts',
  'pdf-objects.ts',
  'pdf-label-sheets.ts',
  'logo-intake.ts',
  'read-back.ts',
  'png.ts',
  'png-file.ts',
  'styled-png.ts',
]

test('only what reads and writes files needs Node: everything else runs in a browser', () => {
  const files = globSync('**/*.ts', { cwd: import.meta.dirname }).filter(
    (file) => !/(\.test|testing)\.ts$/.test(file) && !nodeFiles.includes(file),
  )
  assert.ok(files.includes('svg.ts'))
  for (const file of files) {
    const source = readFileSync(join(import.meta.dirname, file), 'utf8')
    assert.doesNotMatch(
      source,
      /['"]node:|\bBuffer\b|\bprocess\.|(png|pdf|pdf-layers|pdf-objects|pdf-label-sheets|eps|png-file|logo-data|logo-intake|read-back)\.ts|testing\.ts/,
      file,
    )
  }
})
