// Every changed byte of a copy is found, and reported as damage.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { checkCopyFile, readCopyHead, readManifest } from './copy-file-reader.ts'
import { createCopyFile } from './copy-file-writer.ts'
import { headBytes } from './copy-head.ts'
import {
  folder,
  forgeCopy,
  forms,
  madeAtMs,
  passphrase,
  problemKind,
  readAll,
  writeCopy,
} from './testing/copy-file.ts'

const encrypted = { passphrase, scryptLogN: 1 }

for (const { form, ...options } of forms)
  describe(`in a copy, ${form},`, () => {
    test('every changed byte is found: never accepted, never reported as a wrong passphrase', async (t) => {
      const path = join(folder(t), 'a.copy')
      await writeCopy(path, options)
      const bytes = readFileSync(path)
      const patterns = new Set<number>()
      for (let at = 0; at < bytes.length; at++) {
        // Each single bit in turn, and many other patterns.
        const pattern = at % 2 === 0 ? 1 << ((at / 2) % 8) : 1 + (at % 255)
        patterns.add(pattern)
        const flipped = Buffer.from(bytes)
        flipped[at] = (flipped[at] ?? 0) ^ pattern
        writeFileSync(path, flipped)
        const found = `byte ${at} with ${pattern}`
        assert.equal(await problemKind(checkCopyFile(path)), 'damaged', found)
        assert.equal(await problemKind(readAll(path, options)), 'damaged', found)
      }
      assert.ok(patterns.size > 100)
    })

    test('truncation at every length is found', async (t) => {
      const path = join(folder(t), 'a.copy')
      const { bytes } = await writeCopy(path, options)
      const complete = readFileSync(path)
      for (let length = bytes - 1; length > 0; length--) {
        truncateSync(path, length)
        assert.equal(await problemKind(checkCopyFile(path)), 'cut-off', `${length} bytes`)
        assert.equal(await problemKind(readAll(path, options)), 'cut-off', `${length} bytes`)
      }
      writeFileSync(path, complete.fill(0, bytes - 20))
      assert.equal(await problemKind(checkCopyFile(path)), 'damaged', 'zeros instead of its end')
    })

    test('bytes appended to its end are found', async (t) => {
      const path = join(folder(t), 'a.copy')
      await writeCopy(path, options)
      writeFileSync(path, Buffer.concat([readFileSync(path), Buffer.from('x')]))
      assert.equal(await problemKind(checkCopyFile(path)), 'damaged')
      assert.equal(await problemKind(readAll(path, options)), 'damaged')
    })
  })

test('a changed byte in the middle of a large copy is found before the manifest is returned', async (t) => {
  const path = join(folder(t), 'a.copy')
  const entries = [0, 1, 2, 3].map((index) => ({ name: `${index}`, bytes: randomBytes(3_000_000) }))
  for (const { form, ...options } of forms) {
    await writeCopy(path, { ...options, entries, isReplacing: true })
    const bytes = readFileSync(path)
    bytes[6_000_000] = (bytes[6_000_000] ?? 0) ^ 4
    writeFileSync(path, bytes)
    assert.equal(await problemKind(readManifest(path, options)), 'damaged', form)
  }
})

test('a wrong passphrase is reported for an intact copy, and damage for a damaged one, whatever the passphrase', async (t) => {
  const path = join(folder(t), 'a.copy')
  await writeCopy(path, encrypted)
  const bytes = readFileSync(path)
  const wrong = { passphrase: 'correct horse battery stable' }
  assert.equal(await problemKind(readAll(path, wrong)), 'passphrase-wrong')
  assert.equal(await problemKind(readManifest(path, wrong)), 'passphrase-wrong')
  for (let at = 0; at < bytes.length; at += 3) {
    const flipped = Buffer.from(bytes)
    flipped[at] = (flipped[at] ?? 0) ^ (1 << (at % 8))
    writeFileSync(path, flipped)
    assert.equal(await problemKind(readAll(path, wrong)), 'damaged', `byte ${at}`)
  }
  truncateSync(path, bytes.length - 1)
  assert.equal(await problemKind(readAll(path, wrong)), 'cut-off')
})

test('a damaged encryption header is found without the cost of trying a passphrase', async (t) => {
  const path = join(folder(t), 'a.copy')
  await writeCopy(path, encrypted)
  const bytes = readFileSync(path)
  const at = bytes.indexOf('-> scrypt ') + 12
  bytes[at] = bytes[at] === 0x41 ? 0x42 : 0x41
  writeFileSync(path, bytes)
  await assert.rejects(readAll(path, { passphrase }), /the header of its encryption was changed/)
})

test('an encrypted copy needs a passphrase, and an unencrypted one refuses it', async (t) => {
  const dir = folder(t)
  await writeCopy(join(dir, 'encrypted'), encrypted)
  await writeCopy(join(dir, 'plain'))
  assert.equal(await problemKind(readAll(join(dir, 'encrypted'))), 'passphrase-missing')
  assert.equal(await problemKind(readAll(join(dir, 'plain'), { passphrase })), 'passphrase-needless')
  assert.equal((await checkCopyFile(join(dir, 'encrypted'))).encrypted, true)
})

test('a file that is not a copy is reported as such', async (t) => {
  const dir = folder(t)
  const path = join(dir, 'a')
  mkdirSync(join(dir, 'folder'))
  assert.equal(await problemKind(readCopyHead(join(dir, 'folder'))), 'not-a-copy')
  assert.equal(await problemKind(readCopyHead(join(dir, 'none'))), 'not-a-copy')
  assert.equal(await problemKind(readCopyHead('/dev/null')), 'not-a-copy')
  for (const bytes of [
    Buffer.alloc(0),
    Buffer.from('x'),
    Buffer.from('PK\u0003\u0004'.padEnd(5000, 'zip')),
    Buffer.from('{"format":"another thing","version":1}'.padEnd(5000)),
    Buffer.from('{}'),
    ...[1, 20, 1023, 1024, 1025, 100_000].map((length) => Buffer.alloc(length, 0xa5)),
    randomBytes(5000),
  ]) {
    writeFileSync(path, bytes)
    assert.equal(await problemKind(readCopyHead(path)), 'not-a-copy', bytes.toString('latin1', 0, 20))
    assert.equal(await problemKind(checkCopyFile(path)), 'not-a-copy')
    assert.equal(await problemKind(readAll(path, { passphrase })), 'not-a-copy')
  }
})

test('an unfinished copy that was renamed is reported as unfinished', async (t) => {
  const path = join(folder(t), 'a.copy')
  const writer = await createCopyFile(path, { madeAtMs, release: '0.1.0' })
  await writer.add('a', randomBytes(3_000_000))
  const unfinished = readFileSync(`${path}.partial`)
  await writer.abandon()
  writeFileSync(path, unfinished)
  assert.ok(unfinished.length > headBytes)
  assert.equal(await problemKind(readCopyHead(path)), 'cut-off')
  await assert.rejects(readCopyHead(path), /was never finished/)
})

test('the error for a copy of a later version names the release that made it', async (t) => {
  const path = join(folder(t), 'a.copy')
  forgeCopy(path, Buffer.from('whatever it is then'), { version: 2, release: '3.0.0', unpack: undefined })
  assert.equal(await problemKind(readCopyHead(path)), 'later-release')
  await assert.rejects(readAll(path), /made by Everscan 3\.0\.0 in version 2 of the format/)
  const bytes = readFileSync(path)
  bytes[1000] = 9
  writeFileSync(path, bytes)
  assert.equal(await problemKind(readCopyHead(path)), 'damaged')
})

test('a release name that does not fit into the first line is refused', async (t) => {
  const dir = folder(t)
  for (const release of ['x'.repeat(1000), '0.1.0\u00e9']) {
    const writer = await createCopyFile(join(dir, 'a.copy'), { madeAtMs, release })
    await assert.rejects(writer.finish({}), /must be short and ASCII/)
  }
})
