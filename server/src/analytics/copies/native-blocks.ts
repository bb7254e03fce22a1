// Reads as much of ClickHouse's Native format as copies of scans need: the number of rows, the
// columns, and the values of three columns. Throws for anything it does not know. native-columns.ts
// names the sources of the format.

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
    const length = this.varint()
    const from = this.at
    this.#skip(length)
    return this.#bytes.toString('utf8', from, this.at)
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
