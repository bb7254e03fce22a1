// Copies with valid checksums, but with contents that our writer does not make.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import { constants, createZstdCompress, zstdCompressSync } from 'node:zlib'
import * as fc from 'fast-check'
import { pack, type Header } from 'tar-stream'
import { entryBytesMax } from './copy-archive.ts'
import { checkCopyFile, readCopyEntries } from './copy-file-reader.ts'
import { CopyProblem } from './copy-problem.ts'
import {
  folder,
  forgeCopy,
  madeAtMs,
  passphrase,
  problemKind,
  readAll,
  seed,
  writeCopy,
} from './testing/copy-file.ts'

type ForgedEntry = Partial<Header> & { name: string; bytes?: Buffer }

const about = { madeAt: new Date(madeAtMs).toISOString(), release: '0.1.0' }

async function tarOf(entries: readonly ForgedEntry[]): Promise<Buffer> {
  const archive = pack()
  for (const { bytes = Buffer.alloc(0), ...header } of entries) archive.entry(header, bytes)
  archive.finalize()
  return buffer(archive as AsyncIterable<Uint8Array>)
}

function manifestOf(entries: readonly ForgedEntry[], facts: Record<string, unknown> = about): ForgedEntry {
  const listed = entries.map(({ name, bytes = Buffer.alloc(0) }) => ({
    name,
    bytes: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
  }))
  return { name: 'manifest.json', bytes: Buffer.from(JSON.stringify({ ...facts, entries: listed })) }
}

const one: ForgedEntry = { name: 'a', bytes: Buffer.from('a') }
const other: ForgedEntry = { name: 'b', bytes: Buffer.from('b') }

test('a forged copy with valid contents is accepted', async (t) => {
  const path = join(folder(t), 'a.copy')
  forgeCopy(path, zstdCompressSync(await tarOf([one, other, manifestOf([one, other])])))
  assert.deepEqual((await readAll(path)).entries, [one, other])
})

const archives: Record<string, readonly ForgedEntry[]> = {
  'a name that leads out of the folder': [{ name: '../a' }, manifestOf([{ name: '../a' }])],
  'a part that leads out of the folder': [{ name: 'a/../../b' }, manifestOf([{ name: 'a/../../b' }])],
  'an absolute name': [{ name: '/etc/passwd' }, manifestOf([{ name: '/etc/passwd' }])],
  'a name of Windows': [{ name: 'c:\\a' }, manifestOf([{ name: 'c:\\a' }])],
  'a name with a line break': [{ name: 'a\nb' }, manifestOf([{ name: 'a\nb' }])],
  'no name': [{ name: '' }, manifestOf([{ name: '' }])],
  'a symbolic link': [{ name: 'a', type: 'symlink', linkname: '/etc/passwd' }, manifestOf([{ name: 'a' }])],
  'a hard link': [{ name: 'a', type: 'link', linkname: 'b' }, manifestOf([{ name: 'a' }])],
  'a folder': [{ name: 'a', type: 'directory' }, manifestOf([{ name: 'a' }])],
  'a device': [{ name: 'a', type: 'character-device' }, manifestOf([{ name: 'a' }])],
  'a name twice': [one, one, manifestOf([one, one])],
  'two manifests': [one, manifestOf([one]), manifestOf([one])],
  'an entry after the manifest': [one, manifestOf([one]), other],
  'an entry that the manifest lacks': [one, other, manifestOf([one])],
  'a missing entry': [one, manifestOf([one, other])],
  'entries in another order': [one, other, manifestOf([other, one])],
  'other bytes than the manifest says': [one, manifestOf([{ name: 'a', bytes: Buffer.from('x') }])],
  'no manifest': [one],
  'nothing at all': [],
  'a manifest that is not JSON': [{ name: 'manifest.json', bytes: Buffer.from('{') }],
  'a manifest without entries': [{ name: 'manifest.json', bytes: Buffer.from(JSON.stringify(about)) }],
  'the manifest of another copy': [one, manifestOf([one], { ...about, madeAt: '2024-01-01T00:00:00.000Z' })],
  'the manifest of another release': [one, manifestOf([one], { ...about, release: '0.0.1' })],
  'extended headers': [{ ...one, pax: { path: 'a', comment: 'x' } }, manifestOf([one])],
  'an entry of more than 16 MiB, a few kilobytes compressed': [
    { name: 'a', bytes: Buffer.alloc(entryBytesMax + 1) },
    manifestOf([{ name: 'a', bytes: Buffer.alloc(entryBytesMax + 1) }]),
  ],
}

for (const [what, entries] of Object.entries(archives))
  test(`an archive with ${what} is refused as damaged`, async (t) => {
    const path = join(folder(t), 'a.copy')
    forgeCopy(path, zstdCompressSync(await tarOf(entries)))
    await checkCopyFile(path)
    assert.equal(await problemKind(readAll(path)), 'damaged')
  })

test('a duplicate entry is yielded only once', async (t) => {
  const path = join(folder(t), 'a.copy')
  forgeCopy(path, zstdCompressSync(await tarOf([one, one, manifestOf([one, one])])))
  const given: string[] = []
  await assert.rejects(async () => {
    for await (const { name } of readCopyEntries(path)) given.push(name)
  }, /its entry "a" is a duplicate or too many/)
  assert.deepEqual(given, ['a'])
})

test('sizes beyond all limits are refused before memory is allocated for them', async (t) => {
  const path = join(folder(t), 'a.copy')
  const valid = await tarOf([one])
  for (const size of [
    '77777777777\0',
    '\u0080\0\0\0\0\0\0\u007f\u00ff\u00ff\u00ff\u00ff',
    '\u00ff'.repeat(12),
    'not a size!!',
  ]) {
    const header = Buffer.from(valid)
    header.write(size, 124, 'latin1')
    header.write(checksumOf(header.subarray(0, 512)), 148, 'latin1')
    forgeCopy(path, zstdCompressSync(header))
    assert.equal(await problemKind(readAll(path)), 'damaged', size)
  }
})

function checksumOf(header: Buffer): string {
  const sum = header.reduce((total, byte, at) => total + (at >= 148 && at < 156 ? 32 : byte), 0)
  return `${sum.toString(8).padStart(6, '0')}\0 `
}

test('endless bytes outside of entries are not unpacked to their end', async (t) => {
  const path = join(folder(t), 'a.copy')
  const end = Buffer.alloc(200 * 1024 ** 2)
  const tail = await tarOf([manifestOf([])])
  forgeCopy(path, zstdCompressSync(Buffer.concat([end, tail])))
  await assert.rejects(readAll(path), /it unpacks to more bytes than its entries have/)
})

test('a compression that needs more memory than ours is refused', async (t) => {
  const path = join(folder(t), 'a.copy')
  const bytes = await tarOf([one, manifestOf([one])])
  for (const [windowLog, kind] of [
    [22, undefined],
    [27, 'damaged'],
  ] as const) {
    const compress = createZstdCompress({ params: { [constants.ZSTD_c_windowLog]: windowLog } })
    compress.write(bytes.subarray(0, 512))
    // If the compressor knew the size in advance, it would use a smaller window.
    compress.flush(() => compress.end(bytes.subarray(512)))
    forgeCopy(path, await buffer(compress))
    if (kind === undefined) assert.deepEqual((await readAll(path)).entries, [one])
    else assert.equal(await problemKind(readAll(path)), kind)
  }
})

test('an encryption that needs more memory than ours is refused before the memory is allocated', async (t) => {
  const path = join(folder(t), 'a.copy')
  const dir = folder(t)
  await writeCopy(path, { passphrase, scryptLogN: 1 })
  const payload = readFileSync(path).subarray(1024).toString('latin1')
  const header = payload.slice(0, payload.indexOf('\n', payload.indexOf('--- ')) + 1).replace(/ 1\n/, ' 20\n')
  const facts = {
    encrypted: true,
    ageHeaderSha256: createHash('sha256').update(header, 'latin1').digest('hex'),
  }
  forgeCopy(join(dir, 'b.copy'), Buffer.from(header + 'x'.repeat(1000), 'latin1'), facts)
  await assert.rejects(readAll(join(dir, 'b.copy'), { passphrase }), /needs more memory than that of a copy/)
})

test(`any archive is either read or refused as damaged (SEED=${seed})`, async (t) => {
  const path = join(folder(t), 'a.copy')
  const valid = await tarOf([one, other, manifestOf([one, other])])
  const changes = fc.array(
    fc.tuple(fc.nat(valid.length - 1), fc.uint8Array({ minLength: 1, maxLength: 12 })),
    {
      minLength: 1,
      maxLength: 4,
    },
  )
  await fc.assert(
    fc.asyncProperty(changes, fc.boolean(), async (changed, isSigned) => {
      const bytes = Buffer.from(valid)
      for (const [at, replacement] of changed) bytes.set(replacement.subarray(0, bytes.length - at), at)
      if (isSigned) bytes.write(checksumOf(bytes.subarray(0, 512)), 148, 'latin1')
      forgeCopy(path, zstdCompressSync(bytes))
      try {
        assert.deepEqual((await readAll(path)).entries, [one, other])
      } catch (error) {
        assert.ok(error instanceof CopyProblem && error.kind === 'damaged', String(error))
      }
      writeFileSync(path, '')
    }),
    { numRuns: 300, seed },
  )
})
