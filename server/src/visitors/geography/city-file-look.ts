import { open, stat, type FileHandle } from 'node:fs/promises'
import { isIP } from 'node:net'
import { Reader, type Response } from 'mmdb-lib'
import { cityRecords, type CityRecords, type Metadata } from './city-records.ts'
import { cityFile, placeOf, unknownPlace, type GeographyFiles, type Place } from './geography.ts'
import { metadataBytesMax, type Bytes } from './mmdb-records.ts'

/** A look reads some tens of nodes, which lie close together, and some hundred bytes of records. */
const blockBytes = 16_384
/** 4 MB: the upper part of the tree, which every look reads. */
const blocksMax = 256
/** A file that is not looked into for this long is closed. */
const idleMs = 10_000

/**
 * Returns a function that finds the place of a network in the city databases themselves, a few
 * blocks at a time: without loading or preparing them, in some milliseconds. It rejects if a file
 * cannot be read. For networks that are asked for before a table is ready.
 */
export function createCityFileLook(files: GeographyFiles): (network: string) => Promise<Place> {
  const opened: { v4?: Promise<OpenFile>; v6?: Promise<OpenFile> } = {}
  return async (network) => {
    const version = isIP(network)
    if (version === 0) return unknownPlace
    const family = version === 4 ? 'v4' : 'v6'
    const path = cityFile(files, family)
    const state = await stateOf(path)
    const known = await opened[family]?.catch(() => undefined)
    if (known === undefined || known.state !== state || known.isClosed) {
      known?.close()
      opened[family] = OpenFile.open(path)
    }
    return (await opened[family])?.find(network) ?? unknownPlace
  }
}

async function stateOf(path: string): Promise<string> {
  const { ino, size, mtimeMs } = await stat(path)
  return `${ino} ${size} ${mtimeMs}`
}

/** Thrown in the middle of a search: it begins again when the block is there. */
class MissingBlock extends Error {
  readonly index: number

  constructor(index: number) {
    super('a block of the file is not in memory')
    this.index = index
  }
}

/** A file of which only some blocks are in memory. */
class OpenFile {
  readonly #handle: FileHandle
  readonly #bytes: number
  readonly #records: CityRecords
  readonly #blocks = new Map<number, Buffer>()
  readonly #idle: NodeJS.Timeout
  #looks = 0
  #missing = 0
  #turn: Promise<void> = Promise.resolve()
  readonly state: string
  isClosed = false

  private constructor(
    handle: FileHandle,
    { bytes, metadata, state }: { bytes: number; metadata: Metadata; state: string },
  ) {
    this.#handle = handle
    this.#bytes = bytes
    this.#records = cityRecords(this.#view, metadata)
    this.state = state
    this.#idle = setTimeout(() => this.close(), idleMs).unref()
  }

  static async open(path: string): Promise<OpenFile> {
    const handle = await open(path)
    try {
      const { ino, size, mtimeMs } = await handle.stat()
      const end = await readFully(handle, Math.max(0, size - metadataBytesMax), metadataBytesMax)
      const { metadata } = new Reader<Response>(end)
      return new OpenFile(handle, { bytes: size, metadata, state: `${ino} ${size} ${mtimeMs}` })
    } catch (error) {
      await handle.close()
      throw error
    }
  }

  async find(network: string): Promise<Place> {
    this.#idle.refresh()
    this.#looks++
    try {
      return this.#tryNow(network) ?? (await this.#findInTurn(network))
    } finally {
      this.#looks--
      if (this.isClosed) this.#release()
    }
  }

  /** One look at a time reads blocks: several would push each other's out of memory. */
  async #findInTurn(network: string): Promise<Place> {
    const before = this.#turn
    const turn = Promise.withResolvers<void>()
    this.#turn = turn.promise
    await before
    try {
      for (;;) {
        const found = this.#tryNow(network)
        if (found !== undefined) return found
        await this.#load(this.#missing)
      }
    } finally {
      turn.resolve()
    }
  }

  /** Returns undefined if a block is missing. */
  #tryNow(network: string): Place | undefined {
    try {
      return this.#findNow(network)
    } catch (error) {
      if (!(error instanceof MissingBlock)) throw error
      this.#missing = error.index
      return undefined
    }
  }

  /** Looks that are under way end first. */
  close(): void {
    this.isClosed = true
    clearTimeout(this.#idle)
    this.#release()
  }

  #release(): void {
    if (this.#looks > 0) return
    this.#blocks.clear()
    void this.#handle.close().catch(() => undefined)
  }

  async #load(index: number): Promise<void> {
    const block = await readFully(this.#handle, index * blockBytes, blockBytes)
    if (this.#blocks.size >= blocksMax) this.#blocks.clear()
    this.#blocks.set(index, block)
  }

  readonly #view: Bytes = {
    byte: (at) => this.#block(at)[at % blockBytes] as number,
    uint: (at, size) => {
      const block = this.#block(at)
      const offset = at % blockBytes
      return offset + size <= block.length
        ? block.readUIntBE(offset, size)
        : this.#view.slice(at, at + size).readUIntBE(0, size)
    },
    slice: (from, to) => {
      const parts: Buffer[] = []
      for (let at = from; at < to;) {
        const offset = at % blockBytes
        const part = this.#block(at).subarray(offset, offset + to - at)
        parts.push(part)
        at += part.length
      }
      return Buffer.concat(parts)
    },
  }

  #block(at: number): Buffer {
    if (!(at >= 0 && at < this.#bytes)) throw new Error('it points outside of itself')
    const index = Math.floor(at / blockBytes)
    const block = this.#blocks.get(index)
    if (block === undefined) throw new MissingBlock(index)
    return block
  }

  #findNow(network: string): Place {
    const at = this.#records.placeOf(network)
    return at === undefined ? unknownPlace : placeOf(this.#records.read(at))
  }
}

/** Returns the bytes from a place on, fewer at the end of the file. */
async function readFully(handle: FileHandle, from: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length)
  let filled = 0
  while (filled < length) {
    const { bytesRead } = await handle.read(bytes, filled, length - filled, from + filled)
    if (bytesRead === 0) break
    filled += bytesRead
  }
  return bytes.subarray(0, filled)
}
