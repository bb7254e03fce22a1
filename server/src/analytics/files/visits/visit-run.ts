import { readSync } from 'node:fs'
import { open, type FileHandle } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import { Bloom } from './bloom.ts'
import { VisitsDamaged, type VisitDisk } from './visit-disk.ts'
import { compareKeys, recordBytes } from './visit-record.ts'

// A run is pages of records in the order of their keys, then the first four bytes of the first key
// of each page, then a Bloom filter. A page has at most 227 records, their number, four bytes of
// nothing and a CRC-32, which begins with the name of the page: exchanged pages are damage.
export const pageBytes = 4096
const pageRecords = 227
const countAt = pageRecords * recordBytes
const checksumAt = pageBytes - 4
/** As many pages are read or written at once. */
const chunkPages = 16
const fenceBytes = 4

/** The facts of a run that the state of the index has. */
export type RunFacts = {
  /** It names the file. */
  number: number
  level: number
  /** The size of the file, and how many of its bytes are pages. */
  bytes: number
  pagesBytes: number
  /** CRC-32 of the bytes behind the pages. Pages have their own. */
  checksum: number
}

/** A file of records that is never changed. */
export class VisitRun {
  readonly facts: RunFacts
  readonly path: string
  readonly file: FileHandle
  readonly #fences: Uint32Array
  readonly #bloom: Bloom

  constructor(opened: {
    facts: RunFacts
    path: string
    file: FileHandle
    fences: Uint32Array
    bloom: Bloom
  }) {
    this.facts = opened.facts
    this.path = opened.path
    this.file = opened.file
    this.#fences = opened.fences
    this.#bloom = opened.bloom
  }

  /**
   * Opens a run; of its records, none is read. Throws a VisitsDamaged for a file that does not have
   * these facts, and errors of the file system.
   */
  static async open(path: string, facts: RunFacts): Promise<VisitRun> {
    const { bytes, pagesBytes, checksum } = facts
    const file = await open(path, 'r')
    try {
      const rest = Buffer.alloc(Math.max(0, bytes - pagesBytes))
      const { bytesRead } = await file.read(rest, 0, rest.length, pagesBytes)
      const { size } = await file.stat()
      if (size !== bytes || bytesRead < rest.length || crc32(rest) !== checksum) throw new VisitsDamaged(path)
      const pages = pagesBytes / pageBytes
      const fences = Uint32Array.from({ length: pages }, (_, page) => rest.readUInt32LE(page * fenceBytes))
      const bloom = Bloom.of(rest.subarray(pages * fenceBytes))
      return new VisitRun({ facts, path, file, fences, bloom })
    } catch (error) {
      await file.close()
      throw error
    }
  }

  /** It has no more records. */
  get recordsMax(): number {
    return (this.facts.pagesBytes / pageBytes) * pageRecords
  }

  async close(): Promise<void> {
    await this.file.close()
  }

  /**
   * Returns where in `page`, which it fills, the record of a key begins, or -1 if there is none.
   * Reads one page, and none for most keys that are not there. Throws a VisitsDamaged for a damaged
   * page.
   */
  find(key: Buffer, page: Buffer): number {
    if (!this.#bloom.has(key)) return -1
    const wanted = key.readUInt32BE(0)
    let number = lastUpTo(this.#fences, wanted)
    while (number >= 0) {
      const bytesRead = readSync(this.file.fd, page, 0, pageBytes, number * pageBytes)
      const count = countOf(page.subarray(0, bytesRead), pageName(this.facts.number, number), this.path)
      if (compareKeys(page, 0, key, 0) <= 0) return findAmong(page, count, key)
      // Keys before the page's first may begin with the same four bytes.
      if (this.#fences[number] !== wanted) return -1
      number--
    }
    return -1
  }
}

/** Writes the file of a run: `add` its records in order, `write` when told so, and then `end`. */
export class RunWriter {
  readonly #disk: VisitDisk
  readonly #file: FileHandle
  readonly #number: number
  readonly #bloom: Bloom
  readonly #fences: Uint32Array
  readonly #chunk = Buffer.alloc(chunkPages * pageBytes)
  #pages = 0
  /** Pages of the chunk that are complete, and records of the one that is not. */
  #chunkPages = 0
  #records = 0

  /** `recordsMax` records at most. */
  constructor(
    disk: VisitDisk,
    { file, number, recordsMax }: { file: FileHandle; number: number; recordsMax: number },
  ) {
    this.#disk = disk
    this.#file = file
    this.#number = number
    this.#bloom = Bloom.for(recordsMax)
    this.#fences = new Uint32Array(Math.ceil(recordsMax / pageRecords))
  }

  /** Adds the record at an offset. Returns whether `write` must come before the next one. */
  add(records: Buffer, at: number): boolean {
    const page = this.#chunkPages * pageBytes
    if (this.#records === 0) this.#fences[this.#pages] = records.readUInt32BE(at)
    this.#bloom.add(records, at)
    records.copy(this.#chunk, page + this.#records++ * recordBytes, at, at + recordBytes)
    if (this.#records < pageRecords) return false
    this.#completePage()
    return this.#chunkPages === chunkPages
  }

  async write(): Promise<void> {
    await this.#disk.append(this.#file, this.#chunk.subarray(0, this.#chunkPages * pageBytes))
    this.#chunk.fill(0)
    this.#chunkPages = 0
  }

  /** Writes what is left, and makes it durable. The file is then a run of this level. */
  async end(level: number): Promise<{ facts: RunFacts; fences: Uint32Array; bloom: Bloom }> {
    if (this.#records > 0) this.#completePage()
    await this.write()
    const fences = this.#fences.slice(0, this.#pages)
    const bytesOfFences = Buffer.alloc(fences.length * fenceBytes)
    for (const [page, fence] of fences.entries()) bytesOfFences.writeUInt32LE(fence, page * fenceBytes)
    await this.#disk.append(this.#file, bytesOfFences)
    await this.#disk.append(this.#file, this.#bloom.bits)
    await this.#disk.sync(this.#file)
    const pagesBytes = this.#pages * pageBytes
    const facts = {
      number: this.#number,
      level,
      bytes: pagesBytes + bytesOfFences.length + this.#bloom.bits.length,
      pagesBytes,
      checksum: crc32(this.#bloom.bits, crc32(bytesOfFences)),
    }
    return { facts, fences, bloom: this.#bloom }
  }

  #completePage(): void {
    const page = this.#chunk.subarray(this.#chunkPages * pageBytes, (this.#chunkPages + 1) * pageBytes)
    page.writeUInt16LE(this.#records, countAt)
    page.writeUInt32LE(crc32(page.subarray(0, checksumAt), pageName(this.#number, this.#pages)), checksumAt)
    this.#records = 0
    this.#chunkPages++
    this.#pages++
  }
}

/** Reads the records of a run in order. */
export class RunReader {
  readonly records = Buffer.alloc(chunkPages * pageBytes)
  /** The offset of the current record in `records`. */
  at = 0
  readonly #run: VisitRun
  #nextPage = 0
  #chunkPages = 0
  #page = 0
  #record = -1
  #count = 0

  constructor(run: VisitRun) {
    this.#run = run
  }

  /** Goes to the next record. Returns false if `read` must come first. */
  next(): boolean {
    if (++this.#record >= this.#count) {
      if (this.#page >= this.#chunkPages) return false
      const bytes = this.records.subarray(this.#page * pageBytes, (this.#page + 1) * pageBytes)
      const number = this.#nextPage - this.#chunkPages + this.#page
      this.#count = countOf(bytes, pageName(this.#run.facts.number, number), this.#run.path)
      this.#page++
      this.#record = 0
    }
    this.at = (this.#page - 1) * pageBytes + this.#record * recordBytes
    return true
  }

  /** Reads more records, and goes to the first of them. Returns false if there are no more. */
  async read(): Promise<boolean> {
    const { file, facts } = this.#run
    const left = facts.pagesBytes - this.#nextPage * pageBytes
    if (left === 0) return false
    const wanted = Math.min(left, this.records.length)
    const { bytesRead } = await file.read(this.records, 0, wanted, this.#nextPage * pageBytes)
    if (bytesRead < wanted) throw new VisitsDamaged(this.#run.path)
    this.#chunkPages = wanted / pageBytes
    this.#nextPage += this.#chunkPages
    this.#page = 0
    this.#count = 0
    this.#record = -1
    return this.next()
  }
}

function pageName(run: number, page: number): number {
  return (Math.imul(run, 0x9e3779b1) + page) >>> 0
}

/** Returns the number of records of a page. */
function countOf(page: Buffer, name: number, path: string): number {
  if (page.length < pageBytes || crc32(page.subarray(0, checksumAt), name) !== page.readUInt32LE(checksumAt))
    throw new VisitsDamaged(path)
  return page.readUInt16LE(countAt)
}

/** Returns the last index with a number up to this one, or -1. The numbers are sorted. */
function lastUpTo(numbers: Uint32Array, most: number): number {
  let [low, high] = [0, numbers.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((numbers[middle] ?? 0) <= most) low = middle + 1
    else high = middle
  }
  return low - 1
}

function findAmong(page: Buffer, count: number, key: Buffer): number {
  let [low, high] = [0, count]
  while (low < high) {
    const middle = (low + high) >> 1
    const compared = compareKeys(page, middle * recordBytes, key, 0)
    if (compared === 0) return middle * recordBytes
    if (compared < 0) low = middle + 1
    else high = middle
  }
  return -1
}
