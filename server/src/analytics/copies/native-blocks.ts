// Reads as much of ClickHouse's Native format as copies of scans need. Throws for anything it does
// not know. native-columns.ts names the sources of the format.

import { FatalError } from '../../errors.ts'

/** A column of a block and the position of its bytes. */
export type BlockColumn = { name: string; type: string; from: number; to: number }

export type NativeRows = { rows: number; columns: readonly BlockColumn[] }

/**
 * Reads the blocks of a piece in Native format, as the store writes them over HTTP: without a
 * revision. Throws for anything else.
 */
export function readBlocks(bytes: Buffer): NativeRows[] {
  const reader = new Reader(bytes)
  const blocks: NativeRows[] = []
  while (reader.at < bytes.length) {
    const count = reader.varint()
    const rows = reader.varint()
    const columns: BlockColumn[] = []
    for (let index = 0; index < count; index++) {
      const name = reader.text()
      const type = reader.text()
      const from = reader.at
      reader.skipColumn(type, rows)
      columns.push({ name, type, from, to: reader.at })
    }
    blocks.push({ rows, columns })
  }
  return blocks
}

/**
 * Returns the names of the columns of a piece; none if it has no block. Throws a `FatalError` for
 * those that this release does not know, and an Error if its blocks differ.
 */
export function columnsOfPiece(blocks: readonly NativeRows[], known: ReadonlySet<string>): string[] {
  const columns = (blocks[0]?.columns ?? []).map(({ name }) => name)
  if (blocks.some((block) => block.columns.map(({ name }) => name).join() !== columns.join()))
    throw new Error('the blocks of a piece have different columns')
  const unknown = columns.filter((name) => !known.has(name))
  if (unknown.length > 0)
    throw new FatalError(
      `the copy has scans with ${unknown.join(', ')}, which this release does not know: a later release made it; restore it with that one`,
    )
  return columns
}

/**
 * Reads a `LowCardinality(String)` column: `values` has each value once, and `placeOf` returns the
 * index of a row's value.
 */
export function repeatedStrings(
  bytes: Buffer,
  { type, from }: BlockColumn,
): { values: string[]; placeOf: (row: number) => number } {
  if (type !== 'LowCardinality(String)') throw new Error(`a LowCardinality(String) was expected, got ${type}`)
  const reader = new Reader(bytes, from)
  const { indexBytes, valueCount } = reader.dictionary()
  const values = Array.from({ length: valueCount }, () => reader.text())
  const start = reader.at + wordBytes
  return { values, placeOf: (row) => bytes.readUIntLE(start + row * indexBytes, indexBytes) }
}

/** Reads a `UInt64` column. Values above 2^53 are rounded. */
export function integers64(bytes: Buffer, { type, from }: BlockColumn): (row: number) => number {
  if (type !== 'UInt64') throw new Error(`a UInt64 was expected, got ${type}`)
  return (row) => numberAt(bytes, from + row * wordBytes)
}

/** Reads a `DateTime64(3)` column as milliseconds since 1970. */
export function milliseconds64(bytes: Buffer, { type, from }: BlockColumn): (row: number) => number {
  if (!type.startsWith('DateTime64(3')) throw new Error(`a DateTime64(3) was expected, got ${type}`)
  return (row) => Number(bytes.readBigInt64LE(from + row * wordBytes))
}

/** Reads a column of texts: each value at least once, and for each row the number of its value. */
export function textsOf(
  bytes: Buffer,
  column: BlockColumn,
  rows: number,
): { values: string[]; numbers: Uint32Array } {
  const numbers = new Uint32Array(rows)
  if (rows === 0) return { values: [], numbers }
  if (column.type !== 'String') {
    const { values, placeOf } = repeatedStrings(bytes, column)
    for (let row = 0; row < rows; row++) numbers[row] = placeOf(row)
    if (numbers.some((place) => place >= values.length)) throw new Error('a text in Native format is missing')
    return { values, numbers }
  }
  const reader = new Reader(bytes, column.from)
  const values: string[] = []
  // Rows are in order, so most texts are that of the row before.
  let before: Buffer = Buffer.alloc(0)
  for (let row = 0; row < rows; row++) {
    const text = reader.textBytes()
    if (row === 0 || !text.equals(before)) values.push(text.toString())
    numbers[row] = values.length - 1
    before = text
  }
  return { values, numbers }
}

/** Reads an `Enum8` column as the name of each row. */
export function namesOf(bytes: Buffer, { type, from }: BlockColumn): (row: number) => string | undefined {
  if (!type.startsWith('Enum8(')) throw new Error(`an Enum8 was expected, got ${type}`)
  const names = new Map(
    [...type.matchAll(/'(\w+)' = (-?\d+)/g)].map(([, name = '', value]) => [Number(value), name]),
  )
  return (row) => names.get(bytes.readInt8(from + row))
}

/** Reads a `UUID` column as 16 bytes a row, in the order of their digits. */
export function uuidsOf(bytes: Buffer, { type, from, to }: BlockColumn): Buffer {
  if (type !== 'UUID') throw new Error(`a UUID was expected, got ${type}`)
  // Two numbers of 64 bits, the higher half first.
  return Buffer.from(bytes.subarray(from, to)).swap64()
}

/** Reads a `Nullable(Float32)` column; null is NaN. */
export function floats32(bytes: Buffer, { type, from }: BlockColumn, rows: number): (row: number) => number {
  if (type !== 'Nullable(Float32)') throw new Error(`a Nullable(Float32) was expected, got ${type}`)
  return (row) => (bytes[from + row] === 0 ? bytes.readFloatLE(from + rows + row * floatBytes) : Number.NaN)
}

const floatBytes = 4
const wordBytes = 8
const sharedDictionaries = 1
const hasAdditionalKeys = 1 << 9
const needsGlobalDictionary = 1 << 8
/** Bytes per index, by the number of the index type. */
const indexSizes = [1, 2, 4]

const sizes = new Map([
  ['UUID', 16],
  ['UInt64', 8],
  ['Int64', 8],
  ['UInt32', 4],
  ['Float32', 4],
  ['UInt8', 1],
])

/** Returns the bytes per value of a type with a fixed size. */
function sizeOf(type: string): number | undefined {
  if (type.startsWith('Enum8(')) return 1
  if (type.startsWith('DateTime64(')) return 8
  return sizes.get(type)
}

class Reader {
  at: number
  readonly #bytes: Buffer

  constructor(bytes: Buffer, at = 0) {
    this.#bytes = bytes
    this.at = at
  }

  /** Reads a number with seven bits per byte, lowest bits first. */
  varint(): number {
    let value = 0
    for (let factor = 1; factor <= 2 ** 49; factor *= 128) {
      const byte = this.#bytes[this.at++]
      if (byte === undefined) throw cutOff()
      value += (byte & 127) * factor
      if (byte < 128) return value
    }
    throw new Error('a number in Native format is too long')
  }

  text(): string {
    return this.textBytes().toString()
  }

  textBytes(): Buffer {
    const length = this.varint()
    const from = this.at
    this.#skip(length)
    return this.#bytes.subarray(from, this.at)
  }

  skipColumn(type: string, rows: number): void {
    // An empty block has no bytes for its columns.
    if (rows === 0) return
    const size = sizeOf(type)
    const nullable = /^Nullable\((.+)\)$/.exec(type)?.[1]
    if (size !== undefined) this.#skip(rows * size)
    else if (type === 'String') this.#skipTexts(rows)
    else if (type === 'LowCardinality(String)') this.#skipRepeated(rows)
    else if (nullable !== undefined) {
      this.#skip(rows)
      this.skipColumn(nullable, rows)
    } else throw new Error(`columns of type ${type} are not known in copies`)
  }

  /** Reads the head of a dictionary, up to its first value. */
  dictionary(): { indexBytes: number; valueCount: number } {
    const version = this.#word()
    const flags = this.#word()
    const indexBytes = indexSizes[flags & 255]
    if (version !== sharedDictionaries || indexBytes === undefined)
      throw new Error(`a dictionary in Native format has version ${version} and flags ${flags}`)
    if ((flags & needsGlobalDictionary) !== 0 || (flags & hasAdditionalKeys) === 0)
      throw new Error('a dictionary in Native format stands outside of its block')
    return { indexBytes, valueCount: this.#word() }
  }

  #skipRepeated(rows: number): void {
    const { indexBytes, valueCount } = this.dictionary()
    this.#skipTexts(valueCount)
    const count = this.#word()
    if (count !== rows) throw new Error(`${rows} rows were expected in Native format, got ${count}`)
    this.#skip(rows * indexBytes)
  }

  #skipTexts(count: number): void {
    for (let index = 0; index < count; index++) this.#skip(this.varint())
  }

  #word(): number {
    const from = this.at
    this.#skip(wordBytes)
    return numberAt(this.#bytes, from)
  }

  #skip(count: number): void {
    this.at += count
    if (this.at > this.#bytes.length) throw cutOff()
  }
}

function numberAt(bytes: Buffer, at: number): number {
  return bytes.readUInt32LE(at) + bytes.readUInt32LE(at + 4) * 0x1_0000_0000
}

function cutOff(): Error {
  return new Error('rows in Native format are cut off')
}
