import type { ScanRow } from '../insert/scan-row.ts'

/** The columns of a segment that are texts, in the order of the file. */
export const texts = [
  'organizationId',
  'qrCodeId',
  'shortCode',
  'domain',
  'rule',
  'arm',
  'writer',
  'class',
  'botReason',
  'country',
  'city',
  'region',
  'deviceType',
  'os',
  'browser',
  'referrer',
  'language',
] as const satisfies readonly (keyof ScanRow)[]

type TextColumn = (typeof texts)[number]

/** The other columns but that of visitors. */
const numberNames = ['timeMs', 'sequence', 'latitude', 'longitude', 'isUnique'] as const

const visitorBytes = 16
const rowsAtFirst = 256

/** A text column as the numbers of its values, and the values in the order of their numbers. */
export class NumberedTexts {
  readonly values = new Map<string, number>()
  numbers: Uint32Array
  #list: string[] | undefined

  constructor(rowsMax: number) {
    this.numbers = new Uint32Array(rowsMax)
  }

  valueOf(row: number): string {
    // A list of the values is made once: blocks are read when they are complete.
    this.#list ??= [...this.values.keys()]
    return this.#list[this.numbers[row] ?? 0] ?? ''
  }

  add(row: number, value: string): void {
    this.numbers[row] = this.numberOf(value)
  }

  /** Returns the number of a value, which it gets now if it is a new one. */
  numberOf(value: string): number {
    let number = this.values.get(value)
    if (number === undefined) this.values.set(value, (number = this.values.size))
    return number
  }

  /** Returns a function that adds a row of another column. Each value is looked up once. */
  adderOf(other: NumberedTexts): (row: number, from: number) => void {
    /** By numbers there, the number here and one; 0 if it was not looked up. */
    const known = new Uint32Array(other.values.size)
    return (row, from) => {
      const number = other.numbers[from] ?? 0
      if (known[number] === 0) {
        this.add(row, other.valueOf(from))
        known[number] = (this.numbers[row] ?? 0) + 1
      } else this.numbers[row] = (known[number] ?? 0) - 1
    }
  }

  grow(rowsMax: number): void {
    this.numbers = grown(this.numbers, new Uint32Array(rowsMax))
  }

  /** Returns the place of each value in the order of all values, by its number. */
  ranks(): Uint32Array {
    const values = [...this.values.keys()]
    const ranks = new Uint32Array(values.length)
    const ordered = values.map((_, number) => number)
    ordered.sort((a, b) => ((values[a] ?? '') < (values[b] ?? '') ? -1 : 1))
    for (const [rank, number] of ordered.entries()) ranks[number] = rank
    return ranks
  }
}

/** Rows on their way into a segment, as columns from the start. */
export class SegmentBlock {
  readonly texts: Readonly<Record<TextColumn, NumberedTexts>>
  timeMs: Float64Array
  sequence: BigUint64Array
  visitor: Buffer
  latitude: Float32Array
  longitude: Float32Array
  isUnique: Uint8Array
  #rows = 0
  #rowsMax: number

  /** `rowsMax` is the number of rows that it has room for before it grows. */
  constructor(rowsMax: number = rowsAtFirst) {
    this.#rowsMax = rowsMax
    this.texts = Object.fromEntries(texts.map((name) => [name, new NumberedTexts(rowsMax)])) as Record<
      TextColumn,
      NumberedTexts
    >
    this.timeMs = new Float64Array(rowsMax)
    this.sequence = new BigUint64Array(rowsMax)
    this.visitor = Buffer.alloc(rowsMax * visitorBytes)
    this.latitude = new Float32Array(rowsMax)
    this.longitude = new Float32Array(rowsMax)
    this.isUnique = new Uint8Array(rowsMax)
  }

  /** Returns a block with rows whose columns the caller fills: texts have no values yet. */
  static ofRows(rows: number): SegmentBlock {
    const block = new SegmentBlock(rows)
    block.#rows = rows
    return block
  }

  get rows(): number {
    return this.#rows
  }

  add(row: ScanRow, isUnique = false): void {
    const at = this.#next()
    for (const name of texts) this.texts[name].add(at, row[name])
    this.timeMs[at] = row.timeMs
    this.sequence[at] = BigInt(row.sequence)
    this.visitor.write(row.visitor, at * visitorBytes, 'hex')
    this.latitude[at] = row.latitude ?? Number.NaN
    this.longitude[at] = row.longitude ?? Number.NaN
    this.isUnique[at] = Number(isUnique)
  }

  /** Adds the rows of another block that are wanted. */
  addFrom(other: SegmentBlock, isWanted: (row: number) => boolean): void {
    const columns = texts.map((name) => this.texts[name].adderOf(other.texts[name]))
    for (let row = 0; row < other.rows; row++) {
      if (!isWanted(row)) continue
      const at = this.#next()
      for (const add of columns) add(at, row)
      for (const name of numberNames) this[name][at] = other[name][row] as never
      other.visitor.copy(this.visitor, at * visitorBytes, row * visitorBytes, (row + 1) * visitorBytes)
    }
  }

  /** Returns a scan as it was added. */
  rowAt(row: number): ScanRow {
    const valueOf = (name: TextColumn): string => this.texts[name].valueOf(row)
    return {
      ...(Object.fromEntries(texts.map((name) => [name, valueOf(name)])) as Pick<ScanRow, TextColumn>),
      timeMs: this.timeMs[row] ?? 0,
      sequence: this.sequence[row] ?? 0n,
      visitor: this.visitorAt(row).toString('hex'),
      latitude: coordinate(this.latitude[row]),
      longitude: coordinate(this.longitude[row]),
    }
  }

  /** Returns the 16 bytes of a visitor. */
  visitorAt(row: number): Buffer {
    return this.visitor.subarray(row * visitorBytes, (row + 1) * visitorBytes)
  }

  #next(): number {
    if (this.#rows === this.#rowsMax) this.#grow(Math.max(2 * this.#rowsMax, rowsAtFirst))
    return this.#rows++
  }

  #grow(rowsMax: number): void {
    for (const name of texts) this.texts[name].grow(rowsMax)
    this.timeMs = grown(this.timeMs, new Float64Array(rowsMax))
    this.sequence = grown(this.sequence, new BigUint64Array(rowsMax))
    this.visitor = grown(this.visitor, Buffer.alloc(rowsMax * visitorBytes))
    this.latitude = grown(this.latitude, new Float32Array(rowsMax))
    this.longitude = grown(this.longitude, new Float32Array(rowsMax))
    this.isUnique = grown(this.isUnique, new Uint8Array(rowsMax))
    this.#rowsMax = rowsMax
  }

  /** Returns the block as bytes, for `fromBytes`. */
  toBytes(): Buffer[] {
    const values = texts.map((name) => [...this.texts[name].values.keys()])
    const head = Buffer.from(JSON.stringify({ rows: this.#rows, values }))
    const length = Buffer.alloc(4)
    length.writeUInt32LE(head.length)
    return [length, head, ...this.#columns().map((column) => bytesOf(column))]
  }

  /** Throws an Error for bytes that no block gave. */
  static fromBytes(bytes: Buffer): SegmentBlock {
    const headBytes = bytes.readUInt32LE(0)
    const head = JSON.parse(bytes.toString('utf8', 4, 4 + headBytes)) as { rows: number; values: string[][] }
    const block = new SegmentBlock(head.rows)
    for (const [at, name] of texts.entries())
      for (const [number, value] of (head.values[at] ?? []).entries())
        block.texts[name].values.set(value, number)
    let offset = 4 + headBytes
    block.#rows = head.rows
    for (const column of block.#columns()) {
      const target = bytesOf(column)
      bytes.copy(target, 0, offset)
      offset += target.length
    }
    if (offset !== bytes.length) throw new Error('these are not the bytes of a block of scans')
    return block
  }

  /** The columns of numbers, as far as they are filled. */
  #columns(): NodeJS.TypedArray[] {
    return [
      ...texts.map((name) => this.texts[name].numbers.subarray(0, this.#rows)),
      ...numberNames.map((name) => this[name].subarray(0, this.#rows)),
      this.visitor.subarray(0, this.#rows * visitorBytes),
    ]
  }

  /** Returns the rows by organization, code, time, writer and sequence. */
  order(): Uint32Array {
    const { timeMs, sequence } = this
    const { numbers } = this.texts.writer
    const writers = this.texts.writer.ranks()
    const writerOf = (row: number): number => writers[numbers[row] ?? 0] ?? 0
    const { order, ends } = this.#byCode()
    // Most rows are of codes that have few: their sorts take less than one of all rows.
    for (const [at, end] of ends.entries())
      order
        .subarray(ends[at - 1] ?? 0, end)
        .sort(
          (a, b) =>
            (timeMs[a] ?? 0) - (timeMs[b] ?? 0) ||
            writerOf(a) - writerOf(b) ||
            Number((sequence[a] ?? 0n) - (sequence[b] ?? 0n)),
        )
    return order
  }

  /** Returns the rows by organization and code, and where each code ends. */
  #byCode(): { order: Uint32Array; ends: number[] } {
    const { organizationId, qrCodeId } = this.texts
    const [organizations, codes] = [organizationId.ranks(), qrCodeId.ranks()]
    const keyOf = (row: number): number =>
      (organizations[organizationId.numbers[row] ?? 0] ?? 0) * codes.length +
      (codes[qrCodeId.numbers[row] ?? 0] ?? 0)
    const counts = new Map<number, number>()
    for (let row = 0; row < this.#rows; row++) {
      const key = keyOf(row)
      counts.set(key, (counts.get(key) ?? 0) + 1)
    }
    const places = new Map<number, number>()
    const ends: number[] = []
    for (const key of [...counts.keys()].toSorted((a, b) => a - b)) {
      const start = ends.at(-1) ?? 0
      places.set(key, start)
      ends.push(start + (counts.get(key) ?? 0))
    }
    const order = new Uint32Array(this.#rows)
    for (let row = 0; row < this.#rows; row++) {
      const key = keyOf(row)
      const place = places.get(key) ?? 0
      order[place] = row
      places.set(key, place + 1)
    }
    return { order, ends }
  }
}

function coordinate(value = Number.NaN): number | null {
  return Number.isNaN(value) ? null : value
}

function grown<Column extends NodeJS.TypedArray>(column: Column, larger: Column): Column {
  larger.set(column as never)
  return larger
}

function bytesOf({ buffer, byteOffset, byteLength }: NodeJS.TypedArray): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength)
}
