import { createHash, type Hash } from 'node:crypto'
import { resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createZstdCompress } from 'node:zlib'
import { pack } from 'tar-stream'
import {
  entriesMax,
  entryBytesMax,
  isEntryName,
  manifestName,
  zstdWriteParams,
  type ListedEntry,
} from './copy-archive.ts'
import { ageHeaderBytesMax, encrypt, readAgeHeader, scryptLogNDefault } from './copy-encryption.ts'
import { encodeHead, headBytes, type CopyWorth } from './copy-head.ts'
import { PartialFile, writeProblem, type PartialFileOptions } from './partial-file.ts'

export type CopyFileOptions = PartialFileOptions & {
  /** If set, the copy is encrypted with it. */
  passphrase?: string
  madeAtMs: number
  /** The release of Everscan that makes the copy, such as `0.1.0`. */
  release: string
  /** For tests, which make many copies and have no secrets. */
  scryptLogN?: number
}

export type FinishedCopy = {
  path: string
  /** The size of the file. */
  bytes: number
  /** The checksum of everything after the head, which the head contains. */
  sha256: string
}

/**
 * Writes a copy; takes one call at a time. If the disk fails, the call removes the unfinished file
 * before it throws.
 */
export type CopyWriter = {
  /**
   * Adds an entry of at most 16 MiB; larger data is split into several entries. `name` must pass
   * `isEntryName` and be new. Resolves when the archive has copied the bytes, at the pace of the
   * disk.
   */
  add: (name: string, bytes: Buffer) => Promise<void>
  /**
   * Adds `manifest.json` as the last entry, with `madeAt`, `release` and `entries` added to the
   * given facts, and `worth` to the head, and gives the file its name.
   */
  finish: (manifest: Record<string, unknown>, worth?: CopyWorth) => Promise<FinishedCopy>
  /** Removes the unfinished file, at any time. Does nothing once the file has its name. */
  abandon: () => Promise<void>
  /** The bytes written to the file so far. */
  readonly bytesWritten: number
}

/** Bytes that are copied and compressed at a time. */
const pieceBytes = 64 * 1024

/**
 * Begins a copy as `PATH.partial`, which becomes `PATH` once it is complete and on disk. Throws an
 * Error with a sentence if the file exists, if another process writes the same copy, or if the
 * folder cannot be written.
 */
export async function createCopyFile(path: string, options: CopyFileOptions): Promise<CopyWriter> {
  const target = resolve(path)
  try {
    return new CopyFile(await PartialFile.create(target, options), target, options)
  } catch (error) {
    throw writeProblem(target, error)
  }
}

class CopyFile implements CopyWriter {
  readonly #file: PartialFile
  readonly #path: string
  readonly #options: CopyFileOptions
  readonly #archive = pack()
  readonly #entries = new Map<string, ListedEntry>()
  readonly #payloadHash = createHash('sha256')
  readonly #written: Promise<void>
  #payloadStart = Buffer.alloc(0)
  #payloadBytes = 0
  #state: 'open' | 'busy' | 'ended' = 'open'

  constructor(file: PartialFile, path: string, options: CopyFileOptions) {
    this.#file = file
    this.#path = path
    this.#options = options
    this.#written = this.#writeArchive()
    // The next call throws the error of the archive.
    this.#written.catch(() => undefined)
  }

  get bytesWritten(): number {
    return headBytes + this.#payloadBytes
  }

  async add(name: string, bytes: Buffer): Promise<void> {
    this.#requireOpen()
    if (name === manifestName || !isEntryName(name) || this.#entries.has(name))
      throw new Error(`a copy cannot have another entry "${name}"`)
    if (this.#entries.size >= entriesMax) throw new Error(`a copy has at most ${entriesMax} entries`)
    refuseLarge(name, bytes)
    this.#state = 'busy'
    const sha256 = await this.#orDiscard(() => this.#pack(name, bytes))
    this.#entries.set(name, { name, bytes: bytes.length, sha256 })
    this.#state = 'open'
  }

  async finish(manifest: Record<string, unknown>, worth: CopyWorth = {}): Promise<FinishedCopy> {
    this.#requireOpen()
    this.#state = 'busy'
    return this.#orDiscard(async () => {
      await this.#pack(manifestName, this.#encodeManifest(manifest))
      this.#archive.finalize()
      await this.#written
      const sha256 = this.#payloadHash.digest('hex')
      await this.#file.write(this.#head(sha256, worth), 0)
      await this.#file.commit()
      this.#state = 'ended'
      return { path: this.#path, bytes: this.bytesWritten, sha256 }
    })
  }

  async abandon(): Promise<void> {
    this.#state = 'ended'
    this.#archive.destroy()
    await this.#written.catch(() => undefined)
    await this.#file.discard()
  }

  async #writeArchive(): Promise<void> {
    const { passphrase, scryptLogN = scryptLogNDefault } = this.#options
    const compress = createZstdCompress({ params: zstdWriteParams, chunkSize: 128 * 1024 })
    const take = (source: AsyncIterable<Uint8Array>): Promise<void> => this.#take(source)
    if (passphrase === undefined) return pipeline(this.#archive, compress, take)
    const encrypted = (source: AsyncIterable<Uint8Array>) => encrypt(source, { passphrase, scryptLogN })
    return pipeline(this.#archive, compress, encrypted, take)
  }

  async #take(source: AsyncIterable<Uint8Array>): Promise<void> {
    for await (const chunk of source) {
      await this.#file.write(chunk, headBytes + this.#payloadBytes)
      this.#payloadHash.update(chunk)
      this.#payloadBytes += chunk.length
      if (this.#payloadStart.length < ageHeaderBytesMax)
        this.#payloadStart = Buffer.concat([this.#payloadStart, chunk.subarray(0, ageHeaderBytesMax)])
    }
  }

  /** Adds an entry to the archive, and returns the SHA-256 of its bytes. */
  async #pack(name: string, bytes: Buffer): Promise<string> {
    const mtime = new Date(this.#options.madeAtMs)
    const hash = createHash('sha256')
    const entry = this.#archive.entry({ name, size: bytes.length, mode: 0o600, mtime })
    await pipeline(piecesOf(bytes, hash), entry)
    return hash.digest('hex')
  }

  #encodeManifest(manifest: Record<string, unknown>): Buffer {
    const entries = [...this.#entries.values()]
    const complete = { ...manifest, madeAt: this.#madeAt(), release: this.#options.release, entries }
    const bytes = Buffer.from(`${JSON.stringify(complete)}\n`)
    refuseLarge(manifestName, bytes)
    return bytes
  }

  #head(payloadSha256: string, worth: CopyWorth): Buffer {
    const encrypted = this.#options.passphrase !== undefined
    const header = encrypted ? readAgeHeader(this.#payloadStart) : undefined
    if (encrypted && header === undefined)
      throw new Error('the payload does not begin with an encryption header')
    return encodeHead({
      ...worth,
      release: this.#options.release,
      madeAt: this.#madeAt(),
      encrypted,
      payloadBytes: this.#payloadBytes,
      payloadSha256,
      ...(header !== undefined && { ageHeaderSha256: header.sha256 }),
    })
  }

  async #orDiscard<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work()
    } catch (error) {
      // The error of the archive itself says only that it ended early.
      this.#archive.destroy(error as Error)
      const cause: unknown = await this.#written.then(
        () => error,
        (reason: unknown) => reason,
      )
      await this.abandon()
      throw writeProblem(this.#path, cause)
    }
  }

  #requireOpen(): void {
    if (this.#state !== 'open')
      throw new Error('a copy takes one call after the other, and none after its end')
  }

  #madeAt(): string {
    return new Date(this.#options.madeAtMs).toISOString()
  }
}

/** Yields copies of the pieces, because the archive still refers to a piece when `add` resolves. */
async function* piecesOf(bytes: Buffer, hash: Hash): AsyncGenerator<Buffer, void, undefined> {
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    const piece = Buffer.from(bytes.subarray(at, at + pieceBytes))
    hash.update(piece)
    yield piece
  }
}

function refuseLarge(name: string, bytes: Buffer): void {
  if (bytes.length > entryBytesMax)
    throw new Error(`an entry of a copy has at most ${entryBytesMax} bytes, "${name}" has ${bytes.length}`)
}
