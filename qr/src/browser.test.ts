import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

/** Modules that need Node. The dashboard imports all other modules unchanged. */
const nodeFiles = [
  'shapes/logo-data.ts',
  'writers/eps.ts',
  'writers/pdf.ts',
  'writers/pdf-layers.ts',
  'writers/pdf-objects.ts',
  'writers/srgb-profile.ts',
  'labels/pdf-label-sheets.ts',
  'shapes/logo-intake.ts',
  'reading/read-back.ts',
  'reading/readers.ts',
  'writers/png.ts',
  'writers/png-file.ts',
  'writers/styled-png.ts',
]

test('only modules that read or write files need Node; all others run in a browser', () => {
  const files = globSync('**/*.ts', { cwd: import.meta.dirname }).filter(
    (file) => !/\.test\.ts$|(^|\/)testing\//.test(file) && !nodeFiles.includes(file),
  )
  assert.ok(files.includes('writers/svg.ts'))
  for (const file of files) {
    const source = readFileSync(join(import.meta.dirname, file), 'utf8')
    assert.doesNotMatch(
      source,
      /['"]node:|\bBuffer\b|\bprocess\.|(png|pdf|pdf-layers|pdf-objects|srgb-profile|pdf-label-sheets|eps|png-file|logo-data|logo-intake|read-back|readers)\.ts|\/testing\//,
      file,
    )
  }
})
