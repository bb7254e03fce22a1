import { hash } from 'node:crypto'
import { keyBytes, placeBytes } from './visit-record.ts'

const codesMax = 4096
const writersMax = 256
const codeBytes = 16
const visitorBytes = 16

/**
 * Makes the keys and places of an index. Codes and writers that were used last are remembered, some
 * thousand at most.
 *
 * A key is ten bytes of a hash of code and visitor, with the salt of the index: nobody can choose
 * visitors with equal keys, not even in an imported archive. Among 10 million visitors of codes,
 * two have the same key with a probability of 1 in 24 billion (10^14 / 2 pairs of 2^80 keys). The
 * later one's scan is then not unique.
 *
 * A place is eight bytes: a hash of the writer, to which the sequence is added. Places of one
 * writer are never equal. Two places are only compared if they are of the same visitor of a code,
 * and those of two writers are then equal with a probability of 2^-64 each time.
 */
export class VisitKeys {
  readonly #salt: Buffer
  readonly #codes = new Map<string, Buffer>()
  readonly #writers = new Map<string, Buffer>()
  readonly #hashed = Buffer.alloc(codeBytes + visitorBytes)

  constructor(salt: Buffer) {
    this.#salt = salt
  }

  /** Returns what `writeKey` needs of a code. */
  codeOf(organizationId: string, qrCodeId: string): Buffer {
    return remembered(this.#codes, codesMax, `${organizationId} ${qrCodeId}`, (name) => this.#hashOf(name))
  }

  /** Returns what `writePlace` needs of a writer. */
  writerOf(writer: string): Buffer {
    return remembered(this.#writers, writersMax, writer, (name) => this.#hashOf(name))
  }

  /** Writes the key of a visitor of a code, whose 16 bytes begin at an offset. */
  writeKey(key: Buffer, code: Buffer, { visitors, at }: { visitors: Buffer; at: number }): void {
    code.copy(this.#hashed, 0, 0, codeBytes)
    visitors.copy(this.#hashed, codeBytes, at, at + visitorBytes)
    // As a text, because a new buffer for each key takes three times as long.
    key.write(hash('sha256', this.#hashed, 'binary'), 0, keyBytes, 'latin1')
  }

  /** Writes the place of a scan, whose sequence is given as its lower and upper 32 bits. */
  writePlace(place: Buffer, writer: Buffer, { low, high }: { low: number; high: number }): void {
    const sum = writer.readUInt32LE(0) + low
    place.writeUInt32LE(sum >>> 0, 0)
    place.writeUInt32LE((writer.readUInt32LE(4) + high + (sum > 0xffffffff ? 1 : 0)) >>> 0, 4)
    // These eight bytes say that a key was removed.
    if (place.readUInt32LE(0) === 0xffffffff && place.readUInt32LE(4) === 0xffffffff)
      place[placeBytes - 1] = 0
  }

  #hashOf(name: string): Buffer {
    return hash('sha256', Buffer.concat([this.#salt, Buffer.from(name)]), 'buffer')
  }
}

function remembered<Value>(
  values: Map<string, Value>,
  most: number,
  name: string,
  make: (name: string) => Value,
): Value {
  let value = values.get(name)
  if (value === undefined) {
    if (values.size >= most) values.clear()
    values.set(name, (value = make(name)))
  }
  return value
}
