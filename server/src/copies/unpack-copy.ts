import { createHash } from 'node:crypto'
import { pipeline } from 'node:stream/promises'
import { createZstdDecompress } from 'node:zlib'
import { extract, type Header } from 'tar-stream'
import { Check } from 'typebox/value'
import {
  entriesMax,
  entryBytesMax,
  isEntryName,
  Manifest,
  manifestName,
  zstdReadParams,
  type CopyEntry,
  type ListedEntry,
} from './copy-archive.ts'
import { damaged } from './copy-problem.ts'
import type { CopyHead } from './copy-head.ts'

/** Bytes beyond the entries: stream buffers, and the end of the archive. */
const spareBytes = 4 * 1024 ** 2
const tarBlockBytes = 512

/**
 * Yields the entries of a compressed archive in order, each completely in memory, and returns the
 * manifest once it matches them and the head. Treats the archive as hostile: throws a CopyProblem
 * for anything that our writer does not make.
 */
export async function* unpackCopy(
  source: AsyncIterable<Uint8Array>,
  { path, head }: { path: string; head: CopyHead },
): AsyncGenerator<CopyEntry, Manifest, undefined> {
  const listed = new Map<string, ListedEntry>()
  let manifest: Buffer | undefined
  const allowance = new Allowance(path)
  const archive = extract()
  const decompress = createZstdDecompress({ params: zstdReadParams, chunkSize: 128 * 1024 })
  const piped = pipeline(source, decompress, (chunks) => allowance.limit(chunks), archive)
  // A failure also ends the loop below, which throws the error.
  piped.catch(() => undefined)
  try {
    for await (const entry of archive) {
      const { name, size } = entry.header
      refuseForeign(path, entry.header)
      if (manifest !== undefined || listed.has(name) || listed.size >= entriesMax)
        throw damaged(path, `its entry ${JSON.stringify(name)} is a duplicate or too many`)
      allowance.add(size)
      const bytes = await readEntry(entry as AsyncIterable<Uint8Array>, size)
      if (name === manifestName) manifest = bytes
      else {
        listed.set(name, { name, bytes: size, sha256: createHash('sha256').update(bytes).digest('hex') })
        yield { name, bytes }
      }
    }
    await piped
  } finally {
    archive.destroy()
    await piped.catch(() => undefined)
  }
  return checkManifest(path, { manifest, head, entries: [...listed.values()] })
}

/** Limits the decompressed bytes, so that a small file cannot keep a reader busy for hours. */
class Allowance {
  readonly #path: string
  #bytes = spareBytes

  constructor(path: string) {
    this.#path = path
  }

  add(entryBytes: number): void {
    this.#bytes += tarBlockBytes + Math.ceil(entryBytes / tarBlockBytes) * tarBlockBytes
  }

  async *limit(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
    for await (const chunk of chunks) {
      this.#bytes -= chunk.length
      if (this.#bytes < 0) throw damaged(this.#path, 'it unpacks to more bytes than its entries have')
      yield chunk
    }
  }
}

function refuseForeign(path: string, { name, size, type, pax }: Header): void {
  const shown = JSON.stringify(name.slice(0, 200))
  if (!isEntryName(name)) throw damaged(path, `a copy has no entry with the name ${shown}`)
  if (type !== 'file' || (pax ?? undefined) !== undefined)
    throw damaged(path, `its entry ${shown} is not a plain file`)
  if (!Number.isSafeInteger(size) || size > entryBytesMax)
    throw damaged(path, `its entry ${shown} has ${size} bytes, but an entry has at most ${entryBytesMax}`)
}

async function readEntry(entry: AsyncIterable<Uint8Array>, size: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(size)
  let length = 0
  for await (const chunk of entry) {
    bytes.set(chunk, length)
    length += chunk.length
  }
  if (length !== size) throw new Error('an entry ends early')
  return bytes
}

function checkManifest(
  path: string,
  { manifest, head, entries }: { manifest: Buffer | undefined; head: CopyHead; entries: ListedEntry[] },
): Manifest {
  if (manifest === undefined) throw damaged(path, `it lacks ${manifestName}`)
  const read: unknown = JSON.parse(manifest.toString('utf8'))
  if (!Check(Manifest, read)) throw damaged(path, `its ${manifestName} lacks fields, or has wrong ones`)
  if (read.madeAt !== head.madeAt || read.release !== head.release)
    throw damaged(path, `its first line and ${manifestName} differ`)
  const isSame = ({ name, bytes, sha256 }: ListedEntry, index: number): boolean => {
    const found = entries[index]
    return found?.name === name && found.bytes === bytes && found.sha256 === sha256
  }
  if (read.entries.length !== entries.length || !read.entries.every(isSame))
    throw damaged(path, `its entries are not those that ${manifestName} lists`)
  return read
}
