// Columns of a block in ClickHouse's Native format, filled row by row: the engine reads them four times as fast as the same rows as text
// (measured). Little-endian, as the format and all platforms of the engine are. Source: clickhouse.com/docs/interfaces/formats/Native, and for
// low cardinality the serialization of its `SerializationLowCardinality`.

/** A column of a block: its rows so far. */
export type NativeColumn = {
  readonly name: string
  /** As ClickHouse writes the type; the store casts it to the type of its own column. */
  readonly type: string
  /** About how long it is as bytes. */
  bytes(): number
  /** The rows as the format has them. */
  write(): Uint8Array[]
}

/** A block with these columns, each of which has so many rows; more than none. */
export function nativeBlock(columns: readonly NativeColumn[], rows: number): Buffer[] {
  return [
    Buffer.concat([varint(columns.length), varint(rows)]),
    ...columns.flatMap((column) => [
      lengthAndText(column.name),
      lengthAndText(column.type),
      ...column.write(),
    ]),
  ].map((piece) => Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength))
}

/** Numbers of a fixed size. Doubles its room whenever that is full. */
class Room<Numbers extends Uint8Array | Uint32Array | Float32Array> {
  numbers: Numbers
  length = 0
  readonly #make: (length: number) => Numbers

  constructor(make: (length: number) => Numbers) {
    this.#make = make
    this.numbers = make(64)
  }

  /** Makes room for so many more, and gives where the first of them goes. */
  take(count: number): number {
    const at = this.length
    this.length += count
    if (this.length > this.numbers.length) {
      const larger = this.#make(Math.max(this.length, this.numbers.length * 2))
      larger.set(this.numbers)
      this.numbers = larger
    }
    return at
  }

  bytes(): Uint8Array {
    const { buffer, byteOffset, BYTES_PER_ELEMENT } = this.numbers
    return new Uint8Array(buffer, byteOffset, this.length * BYTES_PER_ELEMENT)
  }
}

const bytesRoom = () => new Room((length) => new Uint8Array(length))
const wordsRoom = () => new Room((length) => new Uint32Array(length))

/** A column that is one run of numbers. */
class PlainColumn<Numbers extends Uint8Array | Uint32Array> implements NativeColumn {
  readonly name: string
  readonly type: string
  protected readonly room: Room<Numbers>

  constructor(name: string, type: string, room: Room<Numbers>) {
    this.name = name
    this.type = type
    this.room = room
  }

  bytes(): number {
    return this.room.length * this.room.numbers.BYTES_PER_ELEMENT
  }

  write(): Uint8Array[] {
    return [this.room.bytes()]
  }
}

/** 64 bits each. */
export class Integers64 extends PlainColumn<Uint32Array> {
  constructor(name: string, type: 'UInt64' | "DateTime64(3, 'UTC')") {
    super(name, type, wordsRoom())
  }

  /** Not negative; above 2^53 as a bigint. */
  add(value: number | bigint): void {
    const at = this.room.take(2)
    const { numbers } = this.room
    if (typeof value === 'bigint') {
      numbers[at] = Number(value & 0xffff_ffffn)
      numbers[at + 1] = Number(value >> 32n)
    } else {
      numbers[at] = value % 0x1_0000_0000
      numbers[at + 1] = value / 0x1_0000_0000
    }
  }
}

/** `Int8`, or an `Enum8` of named values. */
export class Integers8 extends PlainColumn<Uint8Array> {
  constructor(name: string, type: string) {
    super(name, type, bytesRoom())
  }

  add(value: number): void {
    const at = this.room.take(1)
    this.room.numbers[at] = value
  }
}

/** `UUID`s from 32 hexadecimal digits: two numbers of 64 bits, the higher half first. */
export class Uuids extends PlainColumn<Uint32Array> {
  constructor(name: string) {
    super(name, 'UUID', wordsRoom())
  }

  add(hex: string): void {
    const at = this.room.take(4)
    const { numbers } = this.room
    numbers[at] = word(hex, 8)
    numbers[at + 1] = word(hex, 0)
    numbers[at + 2] = word(hex, 24)
    numbers[at + 3] = word(hex, 16)
  }
}

/** Eight hexadecimal digits as a number. */
function word(hex: string, from: number): number {
  let value = 0
  for (let at = from; at < from + 8; at++) {
    const code = hex.charCodeAt(at)
    // Digits are 48 to 57; letters, in either case, have 1 to 6 in their low bits.
    value = (value << 4) | (code < 58 ? code - 48 : (code & 7) + 9)
  }
  return value
}

/** `String`s of which most are different. */
export class Strings extends PlainColumn<Uint8Array> {
  constructor(name: string) {
    super(name, 'String', bytesRoom())
  }

  add(value: string): void {
    addText(this.room, value)
  }
}

export class NullableFloats32 implements NativeColumn {
  readonly name: string
  readonly type = 'Nullable(Float32)'
  readonly #nulls = bytesRoom()
  readonly #values = new Room((length) => new Float32Array(length))

  constructor(name: string) {
    this.name = name
  }

  add(value: number | null): void {
    const at = this.#nulls.take(1)
    this.#values.take(1)
    this.#nulls.numbers[at] = value === null ? 1 : 0
    this.#values.numbers[at] = value ?? 0
  }

  bytes(): number {
    return this.#nulls.length * 5
  }

  write(): Uint8Array[] {
    return [this.#nulls.bytes(), this.#values.bytes()]
  }
}

/** `LowCardinality(String)`: each value once, and for each row which of them. */
export class RepeatedStrings implements NativeColumn {
  readonly name: string
  readonly type = 'LowCardinality(String)'
  readonly #places = new Map<string, number>()
  readonly #values = bytesRoom()
  readonly #rows = wordsRoom()
  #last = ''
  #lastPlace = -1

  constructor(name: string) {
    this.name = name
  }

  add(value: string): void {
    const at = this.#rows.take(1)
    this.#rows.numbers[at] =
      this.#lastPlace >= 0 && value === this.#last ? this.#lastPlace : this.#place(value)
  }

  #place(value: string): number {
    let place = this.#places.get(value)
    if (place === undefined) {
      place = this.#places.size
      this.#places.set(value, place)
      addText(this.#values, value)
    }
    this.#last = value
    this.#lastPlace = place
    return place
  }

  bytes(): number {
    return this.#values.length + this.#rows.length * 4
  }

  write(): Uint8Array[] {
    return [
      numbers64(sharedDictionaries, indexesAreUint32 | hasAdditionalKeys | needsUpdate, this.#places.size),
      this.#values.bytes(),
      numbers64(this.#rows.length),
      this.#rows.bytes(),
    ]
  }
}

const sharedDictionaries = 1
const indexesAreUint32 = 2
const hasAdditionalKeys = 1 << 9
const needsUpdate = 1 << 10

/** Numbers under 2^32 with 64 bits each. */
function numbers64(...values: number[]): Uint8Array {
  return new Uint8Array(Uint32Array.from(values.flatMap((value) => [value, 0])).buffer)
}

/** Its length, then UTF-8. Short ASCII is copied here: a native call costs more. */
function addText(room: Room<Uint8Array>, text: string): void {
  const { length } = text
  if (length < 128) {
    const at = room.take(length + 1)
    const { numbers } = room
    numbers[at] = length
    let index = 0
    for (let code; index < length && (code = text.charCodeAt(index)) < 128; index++)
      numbers[at + 1 + index] = code
    if (index === length) return
    room.length = at
  }
  const bytes = lengthAndText(text)
  const at = room.take(bytes.length)
  room.numbers.set(bytes, at)
}

function lengthAndText(text: string): Buffer {
  const bytes = Buffer.from(text)
  return Buffer.concat([varint(bytes.length), bytes])
}

/** Seven bits a byte, the lowest first; all but the last have the highest bit. */
function varint(value: number): Buffer {
  const bytes: number[] = []
  let rest = value
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 128)
  return Buffer.from([...bytes, rest])
}
