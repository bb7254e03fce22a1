import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { folder } from './testing/copy-file.ts'
import { readPassphrase } from './passphrase.ts'

function fileOf(t: TestContext, content: string | Buffer): string {
  const path = join(folder(t), 'passphrase')
  writeFileSync(path, content, { mode: 0o600 })
  return path
}

for (const [content, passphrase] of [
  ['correct horse', 'correct horse'],
  ['correct horse\n', 'correct horse'],
  ['correct horse\r\nnote\n', 'correct horse'],
  [' spaces are kept \nnote', ' spaces are kept '],
  ['\ufeffcorrect horse\n', 'correct horse'],
  ['ключ-ключ', 'ключ-ключ'],
] as const)
  test(`the passphrase is the first line of ${JSON.stringify(content)}`, (t) => {
    assert.deepEqual(readPassphrase(fileOf(t, content)), { passphrase })
  })

for (const [what, content, message] of [
  ['an empty file', '', /the first line is empty/],
  ['an empty first line', '\ncorrect horse\n', /the first line is empty/],
  ['seven characters', '🔑🔑🔑🔑🔑🔑🔑\nmore', /has 7 characters, at least 8/],
  [
    'bytes that are not text',
    Buffer.from([0xff, 0xfe, 1, 2, 3, 4, 5, 6, 7, 8, 9]),
    /it is not text in UTF-8/,
  ],
  ['an endless first line', 'x'.repeat(5000), /more than 4096 bytes/],
] as const)
  test(`${what} is refused, and the passphrase is not shown`, (t) => {
    assert.throws(
      () => readPassphrase(fileOf(t, content)),
      (error: Error) => message.test(error.message) && !error.message.includes('🔑'),
    )
  })

test('a missing file and a folder are refused, with a sentence', (t) => {
  const dir = folder(t)
  mkdirSync(join(dir, 'folder'))
  for (const name of ['none', 'folder'])
    assert.throws(
      () => readPassphrase(join(dir, name)),
      /cannot be read as a passphrase file: .*\. Its first line must be/,
    )
})

test('a file that other users can read yields a warning with the remedy', (t) => {
  const path = fileOf(t, 'correct horse')
  for (const mode of [0o640, 0o604]) {
    chmodSync(path, mode)
    assert.deepEqual(readPassphrase(path), {
      passphrase: 'correct horse',
      warning: `${path} can be read by other users of this machine: chmod 600 ${path}`,
    })
  }
})

test('a pipe is read up to the end of its first line, without a warning', (t) => {
  const pipe = join(folder(t), 'pipe')
  execFileSync('mkfifo', ['-m', '666', pipe])
  const script = `exec > ${pipe}; printf 'correct horse\\n'; exec sleep 60`
  const writer = spawn('sh', ['-c', script], { stdio: 'ignore' })
  t.after(() => writer.kill('SIGKILL'))
  assert.deepEqual(readPassphrase(pipe), { passphrase: 'correct horse' })
})
