import assert from 'node:assert/strict'
import { execFile, execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import * as fc from 'fast-check'
import { entryBytesMax } from './copy-archive.ts'
import { checkCopyFile, readCopyEntries, readCopyHead, readManifest } from './copy-file-reader.ts'
import { createCopyFile } from './copy-file-writer.ts'
import {
  folder,
  forms,
  madeAtMs,
  passphrase,
  readAll,
  seed,
  smallEntries,
  writeCopy,
} from './testing/copy-file.ts'

const endless = join(import.meta.dirname, 'testing', 'endless-copy.ts')
const rival = join(import.meta.dirname, 'testing', 'rival-copies.ts')
const made = { madeAtMs, release: '0.1.0' }
const part = fc.stringMatching(/^[\w-][\w.-]{0,20}$/)
const name = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'))
const entries = fc.uniqueArray(fc.record({ name, bytes: fc.uint8Array({ maxLength: 200_000 }) }), {
  selector: (entry) => entry.name,
  maxLength: 8,
})

for (const { form, ...options } of forms) {
  test(`a reader gets back all entries that a writer adds, ${form} (SEED=${seed})`, async (t) => {
    const path = join(folder(t), 'a.copy')
    await fc.assert(
      fc.asyncProperty(entries, fc.jsonValue(), async (given, about) => {
        const valid = given
          .filter((entry) => entry.name !== 'manifest.json')
          .map((entry) => ({ name: entry.name, bytes: Buffer.from(entry.bytes) }))
        const manifest = { about: JSON.parse(JSON.stringify(about)) as unknown }
        const copy = await writeCopy(path, { ...options, entries: valid, manifest, isReplacing: true })
        assert.deepEqual({ path: copy.path, bytes: copy.bytes }, { path, bytes: statSync(path).size })
        const head = await checkCopyFile(path)
        assert.deepEqual(
          { sha256: head.payloadSha256, release: head.release, madeAt: head.madeAt },
          { sha256: copy.sha256, release: '0.1.0', madeAt: '2025-11-23T10:20:30.456Z' },
        )
        assert.equal(head.encrypted, form === 'encrypted')
        const read = await readAll(path, options)
        assert.deepEqual(read.entries, valid)
        assert.deepEqual(read.manifest['about'], manifest.about)
        assert.deepEqual(
          read.manifest.entries.map((entry) => [entry.name, entry.bytes]),
          valid.map((entry) => [entry.name, entry.bytes.length]),
        )
      }),
      { numRuns: 60, seed },
    )
  })

  test(`progress is reported while entries of 16 MiB are written and read, ${form}`, async (t) => {
    const path = join(folder(t), 'a.copy')
    const big = [randomBytes(entryBytesMax), Buffer.alloc(entryBytesMax, 'scan ')]
    const writer = await createCopyFile(path, { ...made, ...options })
    for (const [index, bytes] of big.entries()) await writer.add(`scans/${index}`, bytes)
    assert.ok(writer.bytesWritten > entryBytesMax)
    const { bytes } = await writer.finish({})
    const seen: number[] = []
    const onProgress = (done: number, of: number): void => {
      assert.equal(of, bytes)
      seen.push(done)
    }
    await readManifest(path, { ...options, onProgress })
    assert.ok(seen.length > 10)
    assert.equal(seen.at(-1), bytes)
    const read = await readAll(path, options)
    for (const [index, entry] of read.entries.entries())
      assert.ok(entry.bytes.equals(big[index] ?? Buffer.alloc(0)))
  })
}

test('a buffer may be reused once add has resolved', async (t) => {
  const path = join(folder(t), 'a.copy')
  const writer = await createCopyFile(path, made)
  const bytes = Buffer.alloc(100_000)
  for (let index = 0; index < 20; index++) await writer.add(`part-${index}`, bytes.fill(index))
  await writer.finish({})
  for (const [index, entry] of (await readAll(path)).entries.entries())
    assert.ok(entry.bytes.equals(Buffer.alloc(100_000, index)))
})

test('two encrypted copies of the same data share no bytes, and reveal no name', async (t) => {
  const dir = folder(t)
  const [one, other] = ['one', 'other'].map((file) => join(dir, file)) as [string, string]
  for (const path of [one, other]) await writeCopy(path, { passphrase, scryptLogN: 1 })
  const bytes = readFileSync(one)
  assert.ok(!bytes.includes('organizations') && !bytes.includes('0123456789abcdef'))
  assert.ok(!bytes.subarray(1024 + 200).equals(readFileSync(other).subarray(1024 + 200)))
})

test('by default, a guess at a passphrase takes 128 MiB', async (t) => {
  const path = join(folder(t), 'a.copy')
  await writeCopy(path, { passphrase })
  assert.match(readFileSync(path, 'latin1').slice(1024), /^age-encryption\.org\/v1\n-> scrypt \S{22} 17\n/)
  assert.deepEqual((await readAll(path, { passphrase })).entries, smallEntries)
})

test('the command in the first line unpacks a copy without Everscan', async (t) => {
  const dir = folder(t)
  const path = join(dir, 'a.copy')
  await writeCopy(path)
  const { unpack } = JSON.parse(readFileSync(path, 'utf8').split('\n', 1)[0] ?? '') as { unpack: string }
  assert.equal(unpack, 'tail -c +1025 FILE | zstd -d | tar x')
  // The decompressor of Node, because not every machine has the tool.
  const zstd = `${process.execPath} -e "process.stdin.pipe(zlib.createZstdDecompress()).pipe(process.stdout)"`
  execFileSync('sh', ['-c', unpack.replace('FILE', path).replace('zstd -d', zstd)], { cwd: dir })
  for (const { name: file, bytes } of smallEntries) assert.deepEqual(readFileSync(join(dir, file)), bytes)
  assert.ok(existsSync(join(dir, 'manifest.json')))
  await writeCopy(join(dir, 'b.copy'), { passphrase, scryptLogN: 1 })
  assert.equal(
    (await readCopyHead(join(dir, 'b.copy'))).unpack,
    'tail -c +1025 FILE | age -d | zstd -d | tar x',
  )
})

for (const [what, refused] of [
  ['in another folder', '../a'],
  ['below the root', '/a'],
  ['that is hidden', '.a'],
  ['with an empty part', 'a//b'],
  ['that is too long', 'a'.repeat(101)],
  ['that exists already', 'taken'],
  ['of the manifest', 'manifest.json'],
])
  test(`an entry with a name ${what} is refused, and the copy goes on`, async (t) => {
    const path = join(folder(t), 'a.copy')
    const writer = await createCopyFile(path, made)
    await writer.add('taken', Buffer.from('a'))
    await assert.rejects(writer.add(refused ?? '', Buffer.from('b')), /cannot have another entry/)
    await assert.rejects(writer.add('large', Buffer.alloc(entryBytesMax + 1)), /at most 16777216 bytes/)
    await writer.finish({})
    assert.deepEqual((await readAll(path)).entries, [{ name: 'taken', bytes: Buffer.from('a') }])
  })

test('a call during another call is refused, and so is a call after the end', async (t) => {
  const path = join(folder(t), 'a.copy')
  const writer = await createCopyFile(path, made)
  const first = writer.add('a', Buffer.alloc(1_000_000))
  await assert.rejects(writer.add('b', Buffer.alloc(1)), /one call after the other/)
  await first
  await writer.finish({})
  await assert.rejects(writer.add('c', Buffer.alloc(1)), /one call after the other/)
  await writer.abandon()
  assert.equal((await readAll(path)).entries.length, 1)
})

test('only its owner can read a copy, whatever the umask, and no other file is left in the folder', async (t) => {
  for (const umask of [0, 0o777]) {
    const dir = folder(t)
    const before = process.umask(umask)
    try {
      const writer = await createCopyFile(join(dir, 'a.copy'), made)
      assert.equal(statSync(join(dir, 'a.copy.partial')).mode & 0o777, 0o600)
      await writer.finish({})
    } finally {
      process.umask(before)
    }
    assert.equal(statSync(join(dir, 'a.copy')).mode & 0o777, 0o600)
    assert.deepEqual(readdirSync(dir), ['a.copy'])
  }
})

test('an existing file stays as it is, even one that appears meanwhile; isReplacing replaces it', async (t) => {
  const dir = folder(t)
  const path = join(dir, 'a.copy')
  writeFileSync(path, 'mine')
  await assert.rejects(createCopyFile(path, made), /already exists, and was not changed/)
  assert.deepEqual(readdirSync(dir), ['a.copy'])
  await writeCopy(path, { isReplacing: true })
  assert.equal((await readAll(path)).entries.length, 2)

  const other = join(dir, 'b.copy')
  const writer = await createCopyFile(other, made)
  writeFileSync(other, 'mine')
  await assert.rejects(writer.finish({}), /already exists, and was not changed/)
  assert.equal(readFileSync(other, 'utf8'), 'mine')
  assert.deepEqual(readdirSync(dir), ['a.copy', 'b.copy'])

  mkdirSync(join(dir, 'folder'))
  await assert.rejects(createCopyFile(join(dir, 'folder'), { ...made, isReplacing: true }), /is not a file/)
  await assert.rejects(
    createCopyFile(join(dir, 'none', 'a.copy'), made),
    /there is no folder .*none\. Create it first/,
  )
})

test('a prepared link with the name of the unfinished file is not followed', async (t) => {
  const dir = folder(t)
  writeFileSync(join(dir, 'theirs'), 'theirs')
  symlinkSync(join(dir, 'theirs'), join(dir, 'a.copy.partial'))
  await writeCopy(join(dir, 'a.copy'))
  assert.equal(readFileSync(join(dir, 'theirs'), 'utf8'), 'theirs')
})

test('an abandoned copy leaves no file, even during add', async (t) => {
  const dir = folder(t)
  const writer = await createCopyFile(join(dir, 'a.copy'), made)
  const adding = assert.rejects(writer.add('a', randomBytes(entryBytesMax)), /was not made/)
  await writer.abandon()
  await adding
  await writer.abandon()
  assert.deepEqual(readdirSync(dir), [])
})

/** Starts a process that writes an endless copy; resolves when part of it is on disk. */
async function startEndless(path: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, [endless, path], { stdio: ['ignore', 'pipe', 'inherit'] })
  await Promise.race([once(child.stdout, 'data'), once(child, 'exit')])
  assert.equal(child.exitCode, null, 'it still writes')
  return child
}

test('only one process can write a copy; after a kill, the next process replaces the leftover', async (t) => {
  const dir = folder(t)
  const path = join(dir, 'a.copy')
  for (let kill = 0; kill < 3; kill++) {
    const child = await startEndless(path)
    try {
      await assert.rejects(createCopyFile(path, made), /is being written by another process/)
      assert.ok(statSync(`${path}.partial`).size > 0)
    } finally {
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    }
    assert.ok(!existsSync(path) && existsSync(`${path}.partial`))
  }
  const writer = await createCopyFile(path, made)
  await assert.rejects(
    createCopyFile(path, { ...made, isReplacing: true }),
    /is being written by another process/,
  )
  for (const { name: file, bytes } of smallEntries) await writer.add(file, bytes)
  await writer.finish({})
  assert.deepEqual((await readAll(path)).entries, smallEntries)
  assert.deepEqual(readdirSync(dir), ['a.copy'])
})

test('processes that write the same copy do so one after the other, and each copy is complete', async (t) => {
  const dir = folder(t)
  const path = join(dir, 'a.copy')
  const rivals = Array.from({ length: 3 }, (_, index) =>
    promisify(execFile)(process.execPath, [rival, path, `rival-${index}`, '120']),
  )
  for (const { stdout } of await Promise.all(rivals)) assert.equal(stdout, '120 made\n')
  assert.match((await readAll(path)).entries[0]?.name ?? '', /^rival-\d$/)
  assert.deepEqual(readdirSync(dir), ['a.copy'])
})

test('a full disk yields a sentence, and leaves no file', (t) => {
  const dir = folder(t)
  const output = execFileSync('prlimit', ['--fsize=300000', process.execPath, endless, join(dir, 'a.copy')], {
    encoding: 'utf8',
  })
  assert.match(
    output,
    /a\.copy was not made: the disk is full\. Free space in .*; no file was left behind\.\n$/,
  )
  assert.deepEqual(readdirSync(dir), [])
})

test('a full file system (a separate tmpfs) yields a sentence, and leaves no file', (t) => {
  const dir = folder(t)
  const namespace = process.getuid?.() === 0 ? ['--mount'] : ['--user', '--map-root-user', '--mount']
  const mount = `mount -t tmpfs -o size=1m none ${dir}`
  try {
    execFileSync('unshare', [...namespace, 'sh', '-c', mount], { stdio: 'ignore' })
  } catch {
    return t.diagnostic('this system does not allow mounts: only the limit on the file size is tested')
  }
  const command = `${mount} && ${process.execPath} ${endless} ${join(dir, 'a.copy')} && ls -A ${dir} | wc -l`
  const output = execFileSync('unshare', [...namespace, 'sh', '-c', command], { encoding: 'utf8' })
  assert.match(output, /the disk is full.*\n0\n$/)
})

test('reading stops when its consumer stops, and throws the reason of an aborted signal', async (t) => {
  const path = join(folder(t), 'a.copy')
  await writeCopy(path, {
    entries: [0, 1, 2].map((index) => ({ name: `${index}`, bytes: randomBytes(5_000_000) })),
  })
  for await (const entry of readCopyEntries(path)) {
    assert.equal(entry.name, '0')
    break
  }
  const stop = new AbortController()
  const reason = new Error('enough')
  const reading = readAll(path, { signal: stop.signal, onProgress: () => stop.abort(reason) })
  await assert.rejects(reading, reason)
  await assert.rejects(checkCopyFile(path, { signal: stop.signal }), reason)
})
