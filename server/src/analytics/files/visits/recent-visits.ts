import { compareKeys, keyBytes, placeBytes, recordBytes, removedPlace } from './visit-record.ts'

/** The bits that tell a record in `order`, beside 32 bits of its key, in 53 of a number. */
const recordsMax = 2 ** 20

const piecesCount = 16

/** Records in memory: a table with open addressing, because keys are hashes already. */
export class RecentVisits {
  records: Buffer
  /** The number of the record of each slot, from 1 on. Half of the slots are used. */
  #slots: Uint32Array
  #count = 0

  /** Has memory for this many records: 26 to 34 bytes each. It takes more when it gets more. */
  constructor(records: number) {
    this.records = Buffer.alloc(records * recordBytes)
    this.#slots = new Uint32Array(2 ** Math.ceil(Math.log2(Math.max(records, 1) * 2)))
  }

  get count(): number {
    return this.#count
  }

  /** Returns where in `records` the record of a key begins, or -1 if there is none. */
  find(key: Buffer): number {
    return ((this.#slots[this.#slotOf(key, 0)] ?? 0) - 1) * recordBytes
  }

  /** Adds a record, or replaces that of its key. Throws a RangeError beyond a million. */
  put(key: Buffer, place: Buffer): void {
    let slot = this.#slotOf(key, 0)
    let number = this.#slots[slot] ?? 0
    if (number === 0) {
      if ((this.#count + 1) * recordBytes > this.records.length) {
        this.#grow()
        slot = this.#slotOf(key, 0)
      }
      number = ++this.#count
      this.#slots[slot] = number
    }
    const at = (number - 1) * recordBytes
    key.copy(this.records, at, 0, keyBytes)
    place.copy(this.records, at + keyBytes, 0, placeBytes)
  }

  remove(key: Buffer): void {
    this.put(key, removedPlace)
  }

  /**
   * Yields where the records begin, in the order of their keys: a sixteenth at a time, because
   * sorting all takes 40 ms.
   */
  *pieces(): Generator<Float64Array> {
    const { records } = this
    const starts = new Uint32Array(piecesCount + 1)
    for (let number = 0; number < this.#count; number++) {
      const piece = pieceOf(records, number * recordBytes)
      starts[piece + 1] = (starts[piece + 1] ?? 0) + 1
    }
    for (let piece = 1; piece <= piecesCount; piece++)
      starts[piece] = (starts[piece] ?? 0) + (starts[piece - 1] ?? 0)
    const all = new Float64Array(this.#count)
    const ends = starts.slice()
    for (let number = 0; number < this.#count; number++) {
      const piece = pieceOf(records, number * recordBytes)
      const at = ends[piece] ?? 0
      all[at] = records.readUInt32BE(number * recordBytes) * recordsMax + number
      ends[piece] = at + 1
    }
    for (let piece = 0; piece < piecesCount; piece++)
      yield sorted(records, all.subarray(starts[piece], starts[piece + 1]))
  }

  clear(): void {
    this.#slots.fill(0)
    this.#count = 0
  }

  #grow(): void {
    if (this.#count >= recordsMax) throw new RangeError('too many first visits at once')
    const { records } = this
    const count = this.#count
    this.records = Buffer.alloc(Math.max(2 * records.length, recordBytes))
    records.copy(this.records)
    this.#slots = new Uint32Array(Math.max(2 * this.#slots.length, 2))
    for (let number = 1; number <= count; number++)
      this.#slots[this.#slotOf(records, (number - 1) * recordBytes)] = number
  }

  /** Returns the slot that has the key at an offset, or that would get it. */
  #slotOf(key: Buffer, keyAt: number): number {
    const mask = this.#slots.length - 1
    let slot = key.readUInt32LE(keyAt + 4) & mask
    for (;;) {
      const number = this.#slots[slot] ?? 0
      if (number === 0 || compareKeys(this.records, (number - 1) * recordBytes, key, keyAt) === 0) return slot
      slot = (slot + 1) & mask
    }
  }
}

function pieceOf(records: Buffer, at: number): number {
  return (records[at] ?? 0) >> 4
}

/**
 * Sorts records that are given as the first four bytes of their keys and their numbers, in one
 * number: a comparison in a call takes ten times as long. Returns where they begin.
 */
function sorted(records: Buffer, order: Float64Array): Float64Array {
  order.sort()
  for (let at = 0; at < order.length; at++) order[at] = ((order[at] ?? 0) % recordsMax) * recordBytes
  // The keys of few have the same first four bytes: they are next to each other.
  for (let at = 1; at < order.length; at++)
    for (let to = at; to > 0; to--) {
      const [before = 0, moved = 0] = [order[to - 1], order[to]]
      if (compareKeys(records, before, records, moved) < 0) break
      order[to] = before
      order[to - 1] = moved
    }
  return order
}
