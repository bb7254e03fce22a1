import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { zipOf } from '../../../api/testing/zip.ts'
import { ArchiveZip, type ArchiveLine } from './archive-zip.ts'
import { LineSet } from './line-set.ts'

const scratch = mkdtempSync(join(tmpdir(), 'everscan-archive-'))
after(() => rmSync(scratch, { recursive: true, force: true }))

describe('the lines of an archive', () => {
  test('are whole and numbered wherever the unpacked bytes are divided', async () => {
    // Longer and shorter than what is unpacked at once, with characters of several bytes.
    const names = Array.from(
      { length: 2_000 },
      (_, at) => `${at} ${'ü€😀'.repeat(at === 7 ? 20_000 : at % 40)}`,
    )
    const texts = names.map((name) => JSON.stringify({ name }))
    texts[3] = ''
    texts[5] = '{"name": '
    for (const end of ['', '\n']) {
      const found = await linesOf({ 'folders.jsonl': `${texts.join('\n')}${end}` })
      assert.deepEqual(
        found.map(({ line }) => line),
        texts.map((_, at) => at + 1),
      )
      assert.deepEqual(
        found.filter(({ value }) => value === undefined).map(({ line }) => line),
        [4, 6],
      )
      const wrong = found.find(({ line, value }) => value !== undefined && nameOf(value) !== names[line - 1])
      assert.equal(wrong, undefined)
    }
  })

  test('come in the order of their import, those of hits by month', async () => {
    const files = { 'scans/2026-02.jsonl': '3\n', 'scans/2026-01.jsonl': '2\n', 'folders.jsonl': '1\n' }
    const found = await linesOf({ ...files, 'views.jsonl': '4', 'other.jsonl': '5' })
    assert.deepEqual(
      found.map(({ section, value }) => [section, value]),
      [
        ['folders', 1],
        ['hits', 2],
        ['hits', 3],
        ['views', 4],
      ],
    )
  })
})

test('a set of lines has what was added to it', () => {
  const lines = new LineSet()
  const added = [1, 8, 1_023, 1_024, 5_000_000]
  for (const line of added) lines.add(line)
  const asked = [...added, 2, 7, 9, 1_025, 4_999_999, 5_000_001, 90_000_000]
  assert.deepEqual(
    asked.filter((line) => lines.has(line)),
    added,
  )
})

async function linesOf(files: Readonly<Record<string, string>>): Promise<ArchiveLine[]> {
  const path = join(scratch, 'archive.zip')
  writeFileSync(path, await zipOf(files))
  const zip = await ArchiveZip.open(path)
  const found: ArchiveLine[] = []
  for await (const lines of zip.lines()) found.push(...lines)
  zip.close()
  return found
}

function nameOf(value: unknown): unknown {
  return (value as { name: unknown }).name
}
