import { open, readdir, rm, stat, type FileHandle } from 'node:fs/promises'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { crc32, zstdCompress, zstdDecompress } from 'node:zlib'
import type { ScanBlock } from '../analytics/insert/scan-block.ts'

const compress = promisify(zstdCompress)
const decompress = promisify(zstdDecompress)

/** The folder below the root of the journals. */
export const keptRowsName = 'kept'
const namePattern = /^\d{8}\.rows$/
const magic = 0x45564b52
/** magic | CRC of the following bytes | bytes of the description | bytes of the rows */
const headerBytes = 16
const recordBytesMax = 256 * 1024 * 1024
const fileMsMax = 3_600_000
const fileBytesMax = 64 * 1024 * 1024

/** A batch as it was inserted into the store. */
export type KeptBatch = {
  batchId: string
  writer: string
  /** The sequence of its last frame. */
  sequence: number
  rows: number
  /** The days of its scans (since 1970). */
  days: number[]
}

type KeptFile = { handle: FileHandle; bytes: number; sinceMs: number }

/** The place of a batch in the files. */
export type KeptPlace = KeptBatch & { path: string; offset: number; bytes: number }

/**
 * The rows of the last days as they were inserted, with batch ids and without networks or user
 * agents, in files of an hour. Rows that the scan store loses are restored from here. Each process
 * writes its own files, so a torn record is the last of its file.
 */
export class KeptRows {
  readonly #dir: string
  readonly #clock: () => number
  readonly #isOwn: (dir: string) => boolean
  #file: KeptFile | undefined

  /**
   * `isOwn` returns whether the rows in a folder belong to this installation; rows of others are
   * not read.
   */
  constructor(
    journalRoot: string,
    clock: () => number = Date.now,
    isOwn: (dir: string) => boolean = () => true,
  ) {
    this.#dir = join(journalRoot, keptRowsName)
    this.#clock = clock
    this.#isOwn = isOwn
  }

  /**
   * Stores a batch durably. Throws errors of the file system; the checkpoint must then not pass the
   * batch.
   */
  async keep(batch: KeptBatch, block: Pick<ScanBlock, 'native'>): Promise<void> {
    const rows = await compress(Buffer.concat(block.native()))
    const description = Buffer.from(JSON.stringify(batch))
    const record = Buffer.concat([Buffer.alloc(headerBytes), description, rows])
    record.writeUInt32LE(magic, 0)
    record.writeUInt32LE(description.length, 8)
    record.writeUInt32LE(rows.length, 12)
    record.writeUInt32LE(crc32(record.subarray(8)), 4)
    const file = await this.#openFile()
    try {
      await file.handle.appendFile(record)
      await file.handle.datasync()
      file.bytes += record.length
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
   * Removes files that were not written for this long, and the oldest files beyond this total size.
   */
  async remove({ olderThanMs, bytesMax }: { olderThanMs: number; bytesMax: number }): Promise<number> {
    const files = await Promise.all(
      (await keptFiles(this.#dir)).map(async (path) => ({ path, stats: await stat(path) })),
    )
    let bytes = files.reduce((sum, { stats }) => sum + stats.size, 0)
    let removed = 0
    for (const { path, stats } of files.slice(0, -1)) {
      if (this.#clock() - stats.mtimeMs < olderThanMs && bytes <= bytesMax) continue
      await rm(path, { force: true })
      bytes -= stats.size
      removed++
    }
    return removed
  }

  /** Yields the places of batches, oldest first. Skips torn and damaged records. */
  async *places(): AsyncGenerator<KeptPlace> {
    for (const path of await this.#ownFiles()) yield* placesIn(path)
  }

  /** Returns the last batch, or undefined if there is none. */
  async last(): Promise<KeptPlace | undefined> {
    for (const path of (await this.#ownFiles()).toReversed()) {
      let last: KeptPlace | undefined
      for await (const place of placesIn(path)) last = place
      if (last !== undefined) return last
    }
    return undefined
  }

  async #ownFiles(): Promise<string[]> {
    return this.#isOwn(this.#dir) ? await keptFiles(this.#dir) : []
  }

  async #openFile(): Promise<KeptFile> {
    const nowMs = this.#clock()
    const file = this.#file
    if (file !== undefined && Math.abs(nowMs - file.sinceMs) < fileMsMax && file.bytes < fileBytesMax)
      return file
    await this.close()
    mkdirSync(this.#dir, { recursive: true, mode: 0o700 })
    const last = (await keptFiles(this.#dir)).at(-1)
    const number = last === undefined ? 1 : Number(last.slice(-13, -5)) + 1
    const path = join(this.#dir, `${String(number).padStart(8, '0')}.rows`)
    const handle = await open(path, 'ax', 0o600)
    await syncDirectory(this.#dir)
    this.#file = { handle, bytes: 0, sinceMs: nowMs }
    return this.#file
  }
}

/** Returns the rows of a batch in ClickHouse's Native format. */
export async function readKeptRows({ path, offset, bytes }: KeptPlace): Promise<Buffer> {
  const handle = await open(path, 'r')
  try {
    const record = Buffer.alloc(bytes)
    await handle.read(record, 0, bytes, offset)
    if (crc32(record.subarray(8)) !== record.readUInt32LE(4))
      throw new Error(`${path} is damaged at ${offset}`)
    return await decompress(record.subarray(headerBytes + record.readUInt32LE(8)))
  } finally {
    await handle.close()
  }
}

async function keptFiles(dir: string): Promise<string[]> {
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

async function* placesIn(path: string): AsyncGenerator<KeptPlace> {
  const handle = await open(path, 'r')
  try {
    const { size } = await handle.stat()
    const header = Buffer.alloc(headerBytes)
    for (let offset = 0; offset + headerBytes <= size;) {
      await handle.read(header, 0, headerBytes, offset)
      const described = header.readUInt32LE(8)
      const bytes = headerBytes + described + header.readUInt32LE(12)
      if (header.readUInt32LE(0) !== magic || bytes > recordBytesMax || offset + bytes > size) return
      const description = Buffer.alloc(described)
      await handle.read(description, 0, described, offset + headerBytes)
      const batch = parsed(description)
      if (batch === undefined) return
      yield { ...batch, path, offset, bytes }
      offset += bytes
    }
  } finally {
    await handle.close()
  }
}

function parsed(description: Buffer): KeptBatch | undefined {
  try {
    return JSON.parse(description.toString()) as KeptBatch
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
