import { Reader, type Response } from 'mmdb-lib'

/**
 * The countries of all networks of a family, as ranges: a range begins at `starts[i]`, ends before
 * the next one, and lies in `codes[countries[i]]`. Networks are numbers: an IPv4 /24 of 24 bits, an
 * IPv6 /48 of 48 bits. Code 0 is unknown.
 */
export type CountryRanges = { starts: Float64Array; countries: Uint8Array; codes: string[] }

const networkBits = { v4: 24, v6: 48 } as const

/**
 * Reads the ranges from a database in MaxMind's format. The country of a network is that of its
 * first address, as `Geography.locate` finds it. It takes seconds for a city database, so it runs
 * on a thread.
 */
export function readCountryRanges(bytes: Buffer, family: 'v4' | 'v6'): CountryRanges {
  const { nodeCount, nodeByteSize, recordSize, searchTreeSize, ipVersion } = new Reader<Response>(bytes)
    .metadata
  const read = recordReader(bytes, recordSize)
  const records = new MapRecords(bytes, searchTreeSize + 16)
  const known = new Map<number, number>()
  const codes = ['']
  const starts: number[] = []
  const countries: number[] = []
  const countryAt = (node: number): number => {
    if (node === nodeCount) return 0
    const found = known.get(node)
    if (found !== undefined) return found
    const code = countryCode(records, node - nodeCount + searchTreeSize)
    let index = codes.indexOf(code)
    if (index < 0) index = codes.push(code) - 1
    known.set(node, index)
    return index
  }
  const bits = networkBits[family]
  const walk = (node: number, depth: number, prefix: number): void => {
    if (node < nodeCount && depth < bits) {
      walk(read(node * nodeByteSize, 0), depth + 1, prefix * 2)
      walk(read(node * nodeByteSize, 1), depth + 1, prefix * 2 + 1)
      return
    }
    let leaf = node
    while (leaf < nodeCount) leaf = read(leaf * nodeByteSize, 0)
    const country = countryAt(leaf)
    if (countries.at(-1) === country) return
    starts.push(prefix * 2 ** (bits - depth))
    countries.push(country)
  }
  let root = 0
  // A database of both families has IPv4 below ::/96.
  if (family === 'v4' && ipVersion === 6)
    for (let depth = 0; depth < 96 && root < nodeCount; depth++) root = read(root * nodeByteSize, 0)
  walk(root, 0, 0)
  return { starts: Float64Array.from(starts), countries: Uint8Array.from(countries), codes }
}

/** Returns a function that reads the left (0) or right (1) record of a node. */
function recordReader(bytes: Buffer, recordSize: number): (at: number, side: 0 | 1) => number {
  if (recordSize === 24) return (at, side) => bytes.readUIntBE(at + 3 * side, 3)
  if (recordSize === 32) return (at, side) => bytes.readUInt32BE(at + 4 * side)
  if (recordSize !== 28) throw new Error(`its records have ${recordSize} bits`)
  return (at, side) => {
    const middle = bytes[at + 3] as number
    return side === 0
      ? ((middle & 0xf0) << 20) | bytes.readUIntBE(at, 3)
      : ((middle & 0x0f) << 24) | bytes.readUIntBE(at + 4, 3)
  }
}

function countryCode(records: MapRecords, at: number): string {
  const flat = records.text(records.field(at, 'country_code'))
  const nested = (name: string) => records.text(records.field(records.field(at, name), 'iso_code'))
  const code = (flat || nested('country') || nested('registered_country')).trim()
  return /^[A-Z]{2}$/.test(code) ? code : ''
}

const types = { pointer: 1, text: 2, map: 7, array: 11, boolean: 14 } as const

/**
 * Reads single fields of records without the others: decoding whole records takes ten times as
 * long. Source: the MaxMind DB file format, version 2.0, "Output Data Section".
 */
class MapRecords {
  readonly #bytes: Buffer
  readonly #start: number
  /** The last header: its type, its size, and where its payload begins. */
  #type = 0
  #size = 0
  #payload = 0

  constructor(bytes: Buffer, start: number) {
    this.#bytes = bytes
    this.#start = start
  }

  /** Returns where the value of a field of a map begins; -1 if there is none. */
  field(at: number, name: string): number {
    if (at < 0) return -1
    this.#readHeader(this.#target(at))
    if (this.#type !== types.map) return -1
    const size = this.#size
    let next = this.#payload
    for (let pair = 0; pair < size; pair++) {
      const value = this.#after(next)
      if (this.text(next) === name) return value
      next = this.#after(value)
    }
    return -1
  }

  /** Returns the text at a place; empty if there is none. */
  text(at: number): string {
    if (at < 0) return ''
    this.#readHeader(this.#target(at))
    if (this.#type !== types.text) return ''
    return this.#bytes.toString('latin1', this.#payload, this.#payload + this.#size)
  }

  /** Returns the place that a pointer names, or the place itself. */
  #target(at: number): number {
    const control = this.#bytes[at] as number
    if (control >> 5 !== types.pointer) return at
    const size = (control >> 3) & 3
    const rest = this.#bytes.readUIntBE(at + 1, size + 1)
    const high = (control & 7) * 2 ** (8 * (size + 1))
    const offset = [high + rest, 2_048 + high + rest, 526_336 + high + rest, rest][size] as number
    return this.#start + offset
  }

  /** Returns the place after a value. */
  #after(at: number): number {
    const control = this.#bytes[at] as number
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
    const control = this.#bytes[at] as number
    let next = at + 1
    this.#type = control >> 5
    if (this.#type === 0) this.#type = 7 + (this.#bytes[next++] as number)
    this.#size = control & 31
    if (this.#size >= 29) {
      const bytes = this.#size - 28
      this.#size = ([29, 285, 65_821][bytes - 1] as number) + this.#bytes.readUIntBE(next, bytes)
      next += bytes
    }
    this.#payload = next
  }
}
