// Reads blocks in ClickHouse's Native format, as far as the product writes it.

/** Returns the rows of a block: texts as they are, the rest as the hexadecimal of its bytes. */
export function readNative(pieces: readonly Buffer[]): Record<string, string>[] {
  const reader = new Reader(Buffer.concat(pieces))
  const [columns, rows] = [reader.varint(), reader.varint()]
  const read = Array.from({ length: columns }, () => {
    const [name, type] = [reader.text(), reader.text()]
    return { name, values: reader.column(type, rows) }
  })
  return Array.from({ length: rows }, (_, row) =>
    Object.fromEntries(read.map(({ name, values }) => [name, values[row] ?? ''])),
  )
}

class Reader {
  readonly #bytes: Buffer
  #at = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  varint(): number {
    let value = 0
    for (let shift = 0; ; shift += 7) {
      const byte = this.#bytes[this.#at++] ?? 0
      value |= (byte & 127) << shift
      if (byte < 128) return value
    }
  }

  text(): string {
    return this.#take(this.varint()).toString()
  }

  column(type: string, rows: number): string[] {
    if (type === 'String') return this.#each(rows, () => this.text())
    if (type === 'LowCardinality(String)') return this.#repeated()
    if (type === 'Nullable(Float32)') {
      const isNull = this.#each(rows, () => this.#take(1)[0] === 1)
      return isNull.map((one) => {
        const value = this.#take(4).toString('hex')
        return one ? '' : value
      })
    }
    const bytes = type === 'UUID' ? 16 : type.startsWith('Enum8') ? 1 : 8
    return this.#each(rows, () => this.#take(bytes).toString('hex'))
  }

  /** After the version and the flags: each value once, then the index of each row's value. */
  #repeated(): string[] {
    this.#take(16)
    const values = this.#each(this.#number64(), () => this.text())
    return this.#each(this.#number64(), () => values[this.#take(4).readUInt32LE()] ?? '')
  }

  #number64(): number {
    return Number(this.#take(8).readBigUInt64LE())
  }

  #each<Value>(count: number, read: () => Value): Value[] {
    return Array.from({ length: count }, read)
  }

  #take(count: number): Buffer {
    const bytes = this.#bytes.subarray(this.#at, this.#at + count)
    this.#at += count
    return bytes
  }
}
