/**
 * Reads single fields of databases in MaxMind's format. Source: the MaxMind DB file format, version
 * 2.0.
 */

/** The bytes of a database, all of them in memory or only some. */
export type Bytes = {
  byte: (at: number) => number
  /** Reads a number of up to 6 bytes. */
  uint: (at: number, size: number) => number
  /** Returns the bytes between two places. */
  slice: (from: number, to: number) => Buffer
}

/** Returns the bytes of a database that is in memory. */
export function wholeFile(bytes: Buffer): Bytes & { readonly bytes: number } {
  return {
    bytes: bytes.length,
    byte: (at) => bytes[at] as number,
    uint: (at, size) => bytes.readUIntBE(at, size),
    slice: (from, to) => bytes.subarray(from, to),
  }
}

/** Returns a function that reads the left (0) or right (1) record of the node at a place. */
export function recordReader(bytes: Bytes, recordSize: number): (at: number, side: 0 | 1) => number {
  if (recordSize === 24) return (at, side) => bytes.uint(at + 3 * side, 3)
  if (recordSize === 32) return (at, side) => bytes.uint(at + 4 * side, 4)
  if (recordSize !== 28) throw new Error(`its records have ${recordSize} bits`)
  return (at, side) => {
    const middle = bytes.byte(at + 3)
    return side === 0
      ? ((middle & 0xf0) << 20) | bytes.uint(at, 3)
      : ((middle & 0x0f) << 24) | bytes.uint(at + 4, 3)
  }
}

/** The description of a database is at its end, in the last 128 KiB. */
export const metadataBytesMax = 131_072

const types = {
  pointer: 1,
  text: 2,
  double: 3,
  short: 5,
  long: 6,
  map: 7,
  array: 11,
  boolean: 14,
  float: 15,
} as const

/** Fields of records, each without the others: decoding whole records takes ten times as long. */
export class MmdbRecords {
  readonly #bytes: Bytes
  readonly #start: number
  /** The last header: its type, its size, and where its payload begins. */
  #type = 0
  #size = 0
  #payload = 0

  /** The data section begins at `start`. */
  constructor(bytes: Bytes, start: number) {
    this.#bytes = bytes
    this.#start = start
  }

  /** Returns where the value of a field of a map begins; -1 if there is none. */
  field(at: number, name: string): number {
    if (!this.#readValue(at) || this.#type !== types.map) return -1
    const size = this.#size
    let next = this.#payload
    for (let pair = 0; pair < size; pair++) {
      const value = this.#after(next)
      if (this.text(next) === name) return value
      next = this.#after(value)
    }
    return -1
  }

  /** Returns where the first element of an array begins; -1 if there is none. */
  first(at: number): number {
    return this.#readValue(at) && this.#type === types.array && this.#size > 0 ? this.#payload : -1
  }

  /** Returns the text at a place; empty if there is none. */
  text(at: number, encoding: 'latin1' | 'utf8' = 'latin1'): string {
    if (!this.#readValue(at) || this.#type !== types.text) return ''
    return this.#bytes.slice(this.#payload, this.#payload + this.#size).toString(encoding)
  }

  /** Returns the number at a place; undefined if there is none. */
  number(at: number): number | undefined {
    if (!this.#readValue(at)) return undefined
    const [from, to] = [this.#payload, this.#payload + this.#size]
    if (this.#type === types.double) return this.#bytes.slice(from, to).readDoubleBE()
    if (this.#type === types.float) return this.#bytes.slice(from, to).readFloatBE()
    if (this.#type !== types.short && this.#type !== types.long) return undefined
    return from === to ? 0 : this.#bytes.uint(from, to - from)
  }

  /** Reads the header of a value, or of the one that a pointer names. */
  #readValue(at: number): boolean {
    if (at < 0) return false
    this.#readHeader(this.#target(at))
    return true
  }

  /** Returns the place that a pointer names, or the place itself. */
  #target(at: number): number {
    const control = this.#bytes.byte(at)
    if (control >> 5 !== types.pointer) return at
    const size = (control >> 3) & 3
    const rest = this.#bytes.uint(at + 1, size + 1)
    const high = (control & 7) * 2 ** (8 * (size + 1))
    const offset = [high + rest, 2_048 + high + rest, 526_336 + high + rest, rest][size] as number
    return this.#start + offset
  }

  /** Returns the place after a value. */
  #after(at: number): number {
    const control = this.#bytes.byte(at)
    if (control >> 5 === types.pointer) return at + 2 + ((control >> 3) & 3)
    this.#readHeader(at)
    const [type, size] = [this.#type, this.#size]
    if (type === types.boolean) return this.#payload
    if (type !== types.map && type !== types.array) return this.#payload + size
    let next = this.#payload
    for (let left = type === types.map ? 2 * size : size; left > 0; left--) next = this.#after(next)
    return next
  }

  #readHeader(at: number): void {
    const control = this.#bytes.byte(at)
    let next = at + 1
    this.#type = control >> 5
    if (this.#type === 0) this.#type = 7 + this.#bytes.byte(next++)
    this.#size = control & 31
    if (this.#size >= 29) {
      const bytes = this.#size - 28
      this.#size = ([29, 285, 65_821][bytes - 1] as number) + this.#bytes.uint(next, bytes)
      next += bytes
    }
    this.#payload = next
  }
}
