import { open, readdir, rm, stat, type FileHandle } from 'node:fs/promises'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { crc32, zstdCompress, zstdDecompress } from 'node:zlib'

const compress = promisify(zstdCompress)
const decompress = promisify(zstdDecompress)

const namePattern = /^\d{8}\.rows$/
const magic = 0x45564b52
/** magic | CRC of the following bytes | bytes of the description | bytes of the contents */
const headerBytes = 16
const recordBytesMax = 256 * 1024 * 1024
const windowBytes = 16 * 1024
const fileMsMax = 3_600_000
const fileBytesMax = 64 * 1024 * 1024

type OpenFile = { path: string; handle: FileHandle; bytes: number; sinceMs: number }

/** A record in the files, as it was described. */
export type RecordPlace<Description> = Description & {
  path: string
  offset: number
  bytes: number
  /** CRC-32 of description and contents. */
  crc: number
}

/**
 * Compressed records of batches, each with a description in JSON, in files of an hour. Each process
 * writes its own files, so a torn record is the last of its file.
 */
export class RecordLog<Description extends object> {
  readonly #dir: string
  readonly #clock: () => number
  readonly #isOwn: (dir: string) => boolean
  #file: OpenFile | undefined

  /**
   * `isOwn` returns whether the records in a folder belong to this installation; those of others
   * are not read.
   */
  constructor(dir: string, clock: () => number = Date.now, isOwn: (dir: string) => boolean = () => true) {
    this.#dir = dir
    this.#clock = clock
    this.#isOwn = isOwn
  }

  /** Stores a record durably, and returns its place. Throws errors of the file system. */
  async append(description: Description, contents: readonly Uint8Array[]): Promise<RecordPlace<Description>> {
    const compressed = await compress(Buffer.concat(contents))
    const described = Buffer.from(JSON.stringify(description))
    const record = Buffer.concat([Buffer.alloc(headerBytes), described, compressed])
    record.writeUInt32LE(magic, 0)
    record.writeUInt32LE(described.length, 8)
    record.writeUInt32LE(compressed.length, 12)
    const crc = crc32(record.subarray(8))
    record.writeUInt32LE(crc, 4)
    const file = await this.#openFile()
    try {
      await file.handle.appendFile(record)
      await file.handle.datasync()
      const { path, bytes: offset } = file
      file.bytes += record.length
      return { ...description, path, offset, bytes: record.length, crc }
    } catch (error) {
      // Records after a torn record would not be found.
      await this.close()
      throw error
    }
  }

  async close(): Promise<void> {
    const file = this.#file
    this.#file = undefined
    await file?.handle.close()
  }

  /**
   * Removes files that were not written for this long, and the oldest files beyond this total size;
   * but none that `mustStay`.
   */
  async remove({
    olderThanMs,
    bytesMax = Infinity,
    mustStay = () => false,
  }: {
    olderThanMs: number
    bytesMax?: number
    mustStay?: (path: string) => boolean
  }): Promise<number> {
    const files = await Promise.all(
      (await recordFiles(this.#dir)).map(async (path) => ({ path, stats: await stat(path) })),
    )
    let bytes = files.reduce((sum, { stats }) => sum + stats.size, 0)
    let removed = 0
    for (const { path, stats } of files.slice(0, -1)) {
      if (this.#clock() - stats.mtimeMs < olderThanMs && bytes <= bytesMax) continue
      if (mustStay(path)) continue
      await rm(path, { force: true })
      bytes -= stats.size
      removed++
    }
    return removed
  }

  /** Yields the places of records, oldest first. Skips torn records. */
  async *places(): AsyncGenerator<RecordPlace<Description>> {
    for (const path of await this.#ownFiles()) yield* placesIn<Description>(path)
  }

  /** Returns the files, newest first. */
  async newestFiles(): Promise<string[]> {
    return (await this.#ownFiles()).toReversed()
  }

  /** Yields the places of records of a file from an offset on; nothing if the file is gone. */
  async *placesIn(path: string, offset: number): AsyncGenerator<RecordPlace<Description>> {
    try {
      yield* placesIn<Description>(path, offset)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    }
  }

  /** Returns the last record, or undefined if there is none. */
  async last(): Promise<RecordPlace<Description> | undefined> {
    for (const path of (await this.#ownFiles()).toReversed()) {
      let last: RecordPlace<Description> | undefined
      for await (const place of placesIn<Description>(path)) last = place
      if (last !== undefined) return last
    }
    return undefined
  }

  async #ownFiles(): Promise<string[]> {
    return this.#isOwn(this.#dir) ? await recordFiles(this.#dir) : []
  }

  async #openFile(): Promise<OpenFile> {
    const nowMs = this.#clock()
    const file = this.#file
    if (file !== undefined && Math.abs(nowMs - file.sinceMs) < fileMsMax && file.bytes < fileBytesMax)
      return file
    await this.close()
    mkdirSync(this.#dir, { recursive: true, mode: 0o700 })
    const last = (await recordFiles(this.#dir)).at(-1)
    const number = last === undefined ? 1 : Number(last.slice(-13, -5)) + 1
    const path = join(this.#dir, `${String(number).padStart(8, '0')}.rows`)
    const handle = await open(path, 'ax', 0o600)
    await syncDirectory(this.#dir)
    this.#file = { path, handle, bytes: 0, sinceMs: nowMs }
    return this.#file
  }
}

/** Returns the contents of a record. Throws an Error if it is damaged. */
export async function readRecord(place: RecordPlace<object>): Promise<Buffer> {
  const record = await bytesOf(place)
  if (!isWhole(record)) throw new Error(`${place.path} is damaged at ${place.offset}`)
  return await contentsOf(record)
}

/** Returns the contents of the bytes of a record. */
export async function contentsOf(record: Buffer): Promise<Buffer> {
  return await decompress(record.subarray(headerBytes + record.readUInt32LE(8)))
}

/** Returns a record as it was written, or undefined if it is damaged or cannot be read. */
export async function rawRecord(place: RecordPlace<object>): Promise<Buffer | undefined> {
  const record = await bytesOf(place).catch(() => undefined)
  return record !== undefined && isWhole(record) ? record : undefined
}

async function bytesOf({ path, offset, bytes }: RecordPlace<object>): Promise<Buffer> {
  const handle = await open(path, 'r')
  try {
    const record = Buffer.alloc(bytes)
    await handle.read(record, 0, bytes, offset)
    return record
  } finally {
    await handle.close()
  }
}

function isWhole(record: Buffer): boolean {
  return crc32(record.subarray(8)) === record.readUInt32LE(4)
}

async function recordFiles(dir: string): Promise<string[]> {
  try {
    const names = await readdir(dir)
    return names
      .filter((name) => namePattern.test(name))
      .sort()
      .map((name) => join(dir, name))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

async function* placesIn<Description>(path: string, from = 0): AsyncGenerator<RecordPlace<Description>> {
  const handle = await open(path, 'r')
  try {
    const { size } = await handle.stat()
    const read = windowOn(handle)
    for (let offset = from; offset + headerBytes <= size;) {
      const header = await read(offset, headerBytes)
      const described = header.readUInt32LE(8)
      const bytes = headerBytes + described + header.readUInt32LE(12)
      if (header.readUInt32LE(0) !== magic || bytes > recordBytesMax || offset + bytes > size) return
      const crc = header.readUInt32LE(4)
      const known = parsed(await read(offset + headerBytes, described)) as Description | undefined
      if (known === undefined) return
      yield { ...known, path, offset, bytes, crc }
      offset += bytes
    }
  } finally {
    await handle.close()
  }
}

/**
 * Returns a function that reads bytes of a file, and what follows them with them: of small records
 * there are many. Its result holds until the next call.
 */
function windowOn(handle: FileHandle): (offset: number, length: number) => Promise<Buffer> {
  const window = Buffer.alloc(windowBytes)
  let [start, filled] = [0, 0]
  return async (offset, length) => {
    const at = offset - start
    if (at >= 0 && at + length <= filled) return window.subarray(at, at + length)
    if (length > windowBytes) {
      const bytes = Buffer.alloc(length)
      await handle.read(bytes, 0, length, offset)
      return bytes
    }
    const { bytesRead } = await handle.read(window, 0, windowBytes, offset)
    window.fill(0, bytesRead)
    ;[start, filled] = [offset, bytesRead]
    return window.subarray(0, length)
  }
}

function parsed(description: Buffer): unknown {
  try {
    return JSON.parse(description.toString())
  } catch {
    return undefined
  }
}

async function syncDirectory(dir: string): Promise<void> {
  const handle = await open(dir, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
