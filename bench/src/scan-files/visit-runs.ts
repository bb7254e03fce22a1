import { closeSync, fsyncSync, mkdirSync, openSync, readSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { Bloom } from './bloom.ts'

/** Ten bytes that name a visitor of a code, and eight for the place of the first visit. */
export const keyBytes = 10
const recordBytes = 18
const pageRecords = Math.floor(4096 / recordBytes)
const recentMax = 131_072
/** As many runs of a level become one of the next. */
const runsMax = 6
const bufferedRecords = 4096

type Run = { path: string; file: number; records: number; level: number; bloom: Bloom }

/**
 * First visits in sorted files. The last ones are in memory; full, they become a run; runs of a
 * level become one of the next. Keys are evenly distributed, so a run is searched where a key would
 * be: nearly always one read.
 */
export class VisitRuns {
  readonly #dir: string
  readonly #recent = new RecentVisits()
  readonly #page = Buffer.alloc(pageRecords * recordBytes)
  #runs: Run[] = []
  #written = 0

  constructor(dir: string) {
    this.#dir = dir
    mkdirSync(dir, { recursive: true })
  }

  /** Adds a visit unless there is one of its key. Returns whether it was added. */
  add(record: Buffer): boolean {
    if (this.has(record)) return false
    this.#recent.add(record)
    if (this.#recent.count === recentMax) this.flush()
    return true
  }

  has(key: Buffer): boolean {
    return this.#recent.has(key) || this.#runs.some((run) => run.bloom.has(key) && this.#isIn(run, key))
  }

  /** Writes the visits in memory. */
  flush(): void {
    if (this.#recent.count === 0) return
    this.#add(0, this.#recent.count, this.#recent.sorted())
    this.#recent.clear()
    for (let level = 0; ; level++) {
      const some = this.#runs.filter((run) => run.level === level)
      if (some.length < runsMax) return
      this.#add(
        level + 1,
        some.reduce((sum, { records }) => sum + records, 0),
        merged(some),
      )
      for (const { file, path } of some) {
        closeSync(file)
        rmSync(path)
      }
      this.#runs = this.#runs.filter((run) => !some.includes(run))
    }
  }

  #add(level: number, records: number, sorted: Iterable<Buffer>): void {
    const path = join(this.#dir, `${this.#written++}.run`)
    const bloom = new Bloom(records)
    const file = openSync(path, 'w+')
    const buffer = Buffer.alloc(bufferedRecords * recordBytes)
    let bytes = 0
    for (const record of sorted) {
      bloom.add(record)
      bytes += record.copy(buffer, bytes)
      if (bytes < buffer.length) continue
      writeSync(file, buffer)
      bytes = 0
    }
    writeSync(file, buffer, 0, bytes)
    fsyncSync(file)
    this.#runs.unshift({ path, file, records, level, bloom })
  }

  #isIn({ file, records }: Run, key: Buffer): boolean {
    const wanted = key.readUInt32BE(0)
    let [low, high] = [0, records]
    let guess = Math.floor((wanted / 2 ** 32) * records)
    while (low < high) {
      const start = Math.max(low, Math.min(high - 1, guess) - (pageRecords >> 1))
      const count = Math.min(pageRecords, high - start)
      readSync(file, this.#page, 0, count * recordBytes, start * recordBytes)
      const lastAt = (count - 1) * recordBytes
      const off = (at: number) => ((wanted - this.#page.readUInt32BE(at)) / 2 ** 32) * records
      if (compareAt(this.#page, 0, key) > 0) {
        high = start
        guess = Math.floor(start + off(0))
      } else if (compareAt(this.#page, lastAt, key) < 0) {
        low = start + count
        guess = Math.ceil(start + count + off(lastAt))
      } else return isAmong(this.#page, count, key)
    }
    return false
  }
}

/** Records in memory: a table of places with open addressing, because keys are hashes already. */
class RecentVisits {
  readonly #records = Buffer.alloc(recentMax * recordBytes)
  readonly #places = new Uint32Array(recentMax * 2)
  count = 0

  has(key: Buffer): boolean {
    return this.#places[this.#placeOf(key)] !== 0
  }

  add(record: Buffer): void {
    const place = this.#placeOf(record)
    record.copy(this.#records, this.count * recordBytes, 0, recordBytes)
    this.#places[place] = ++this.count
  }

  *sorted(): Generator<Buffer> {
    const records = this.#records
    const highs = Float64Array.from(
      { length: this.count },
      (_, at) => records.readUInt32BE(at * recordBytes) * 65_536 + records.readUInt16BE(at * recordBytes + 4),
    )
    const order = Uint32Array.from({ length: this.count }, (_, at) => at).sort(
      (a, b) => (highs[a] ?? 0) - (highs[b] ?? 0) || compareAt(records, a * recordBytes, this.#recordAt(b)),
    )
    for (const at of order) yield this.#recordAt(at)
  }

  clear(): void {
    this.#places.fill(0)
    this.count = 0
  }

  #recordAt(at: number): Buffer {
    return this.#records.subarray(at * recordBytes, (at + 1) * recordBytes)
  }

  #placeOf(key: Buffer): number {
    const places = this.#places
    let place = key.readUInt32LE(4) % places.length
    for (let at = places[place]; at !== 0 && at !== undefined; at = places[place]) {
      if (compareAt(this.#records, (at - 1) * recordBytes, key) === 0) return place
      place = (place + 1) % places.length
    }
    return place
  }
}

function compareAt(records: Buffer, at: number, key: Buffer): number {
  return records.compare(key, 0, keyBytes, at, at + keyBytes)
}

function isAmong(page: Buffer, count: number, key: Buffer): boolean {
  let [low, high] = [0, count]
  while (low < high) {
    const middle = (low + high) >> 1
    const compared = compareAt(page, middle * recordBytes, key)
    if (compared === 0) return true
    if (compared < 0) low = middle + 1
    else high = middle
  }
  return false
}

function* merged(runs: readonly Run[]): Generator<Buffer> {
  const readers = runs.map((run) => new RunReader(run)).filter((reader) => reader.next())
  while (readers.length > 0) {
    const least = readers.reduce((a, b) => (compareAt(b.buffer, b.at, a.record) < 0 ? b : a))
    yield least.record
    if (!least.next()) readers.splice(readers.indexOf(least), 1)
  }
}

class RunReader {
  readonly buffer = Buffer.alloc(bufferedRecords * recordBytes)
  readonly #file: number
  #bytes = 0
  #position = 0
  at = -recordBytes

  constructor({ file }: Run) {
    this.#file = file
  }

  get record(): Buffer {
    return this.buffer.subarray(this.at, this.at + recordBytes)
  }

  next(): boolean {
    this.at += recordBytes
    if (this.at >= 0 && this.at < this.#bytes) return true
    this.#bytes = readSync(this.#file, this.buffer, 0, this.buffer.length, this.#position)
    this.#position += this.#bytes
    this.at = 0
    return this.#bytes > 0
  }
}
