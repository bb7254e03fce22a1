import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fewFilesWarning, openDirectoryWarning } from './start-warnings.ts'

test('a hard limit below 4,096 open files yields a warning with the command; Node raises the soft limit itself', () => {
  assert.match(
    fewFilesWarning(limitsFile('256', '1024')) ?? '',
    /only 1024 files .*ulimit -n 65536.*LimitNOFILE/,
  )
  assert.match(
    fewFilesWarning(limitsFile('64', '64')) ?? '',
    /^only 64 files .*needs more even without visitors, and parts of it do not start: before the start, run/,
  )
  assert.match(fewFilesWarning(limitsFile('256', '4095')) ?? '', /only 4095 files/)
  for (const [soft, hard] of [
    ['1024', '4096'],
    ['1024', '1048576'],
    ['1024', 'unlimited'],
  ] as const)
    assert.equal(fewFilesWarning(limitsFile(soft, hard)), undefined)
  assert.equal(fewFilesWarning(''), undefined)
})

test('a data directory that others can enter, read or write yields a warning, with a command for any name', (t) => {
  const path = mkdtempSync(join(tmpdir(), "everscan's data-"))
  t.after(() => rmSync(path, { recursive: true }))
  for (const mode of [0o750, 0o701, 0o704, 0o720]) {
    chmodSync(path, mode)
    const expected = `(mode ${mode.toString(8)}), which holds secrets: chmod 700 '${path.replace("'", String.raw`'\''`)}'`
    assert.ok(openDirectoryWarning(path)?.endsWith(expected), openDirectoryWarning(path))
  }
  for (const mode of [0o700, 0o500]) {
    chmodSync(path, mode)
    assert.equal(openDirectoryWarning(path), undefined)
  }
})

function limitsFile(soft: string, hard: string): string {
  return [
    'Limit                     Soft Limit           Hard Limit           Units     ',
    'Max processes             62939                62939                processes ',
    `Max open files            ${soft.padEnd(20)} ${hard.padEnd(20)} files     `,
    '',
  ].join('\n')
}
