import { isClosedOwner } from '../../store/closed-owner.ts'
import { nobody } from '../../store/first-scans.ts'
import type { SegmentBlock } from '../segment-block.ts'
import type { VisitKeys } from './visit-keys.ts'
import { keyBytes, placeBytes } from './visit-record.ts'

const nobodyBytes = Buffer.from(nobody, 'hex')
const visitorBytes = nobodyBytes.length

/** Goes through the rows of the blocks of a batch in the order of their sequences. */
export class BlockVisits {
  readonly key = Buffer.alloc(keyBytes)
  readonly place = Buffer.alloc(placeBytes)
  readonly #keys: VisitKeys
  readonly #blocks: BlockCursor[]
  #current: BlockCursor | undefined

  constructor(blocks: readonly SegmentBlock[], keys: VisitKeys) {
    this.#keys = keys
    this.#blocks = blocks.map((block) => new BlockCursor(block, keys))
  }

  /** Goes to the next row. Returns false if there is none. */
  next(): boolean {
    if (this.#current !== undefined) this.#current.row++
    let least: BlockCursor | undefined
    for (const cursor of this.#blocks)
      if (!cursor.isAtEnd && (least === undefined || cursor.sequence < least.sequence)) least = cursor
    this.#current = least
    return least !== undefined
  }

  /** Whether the row can be unique; if so, `key` and `place` are now those of the row. */
  readVisit(): boolean {
    return this.#current?.readVisit(this.#keys, this.key, this.place) ?? false
  }

  mark(isUnique: boolean): void {
    this.#current?.mark(isUnique)
  }
}

/** The rows of one block. It reads columns directly, so a row costs few microseconds. */
class BlockCursor {
  row = 0
  readonly #block: SegmentBlock
  readonly #human: number | undefined
  /** The lower and upper halves of sequences: numbers of 64 bits would be allocated. */
  readonly #halves: Uint32Array
  /** By the number of the organization. */
  readonly #isClosed: readonly boolean[]
  /** By the number of the code, with the number of its organization. */
  readonly #codes: { organization: number; code: Buffer }[] = []
  readonly #writers: readonly Buffer[]

  constructor(block: SegmentBlock, keys: VisitKeys) {
    const { sequence, texts } = block
    this.#block = block
    this.#human = texts.class.values.get('human')
    this.#halves = new Uint32Array(sequence.buffer, sequence.byteOffset, sequence.length * 2)
    this.#isClosed = [...texts.organizationId.values.keys()].map(isClosedOwner)
    this.#writers = [...texts.writer.values.keys()].map((writer) => keys.writerOf(writer))
  }

  get isAtEnd(): boolean {
    return this.row >= this.#block.rows
  }

  get sequence(): number {
    return this.#high * 2 ** 32 + this.#low
  }

  readVisit(keys: VisitKeys, key: Buffer, place: Buffer): boolean {
    const { row } = this
    const { texts, visitor } = this.#block
    const organization = texts.organizationId.numbers[row] ?? 0
    const writer = this.#writers[texts.writer.numbers[row] ?? 0]
    const at = row * visitorBytes
    if (texts.class.numbers[row] !== this.#human || this.#isClosed[organization] === true) return false
    if (writer === undefined || isNobody(visitor, at)) return false
    keys.writeKey(key, this.#codeOf(keys, organization), { visitors: visitor, at })
    keys.writePlace(place, writer, { low: this.#low, high: this.#high })
    return true
  }

  mark(isUnique: boolean): void {
    this.#block.isUnique[this.row] = isUnique ? 1 : 0
  }

  #codeOf(keys: VisitKeys, organization: number): Buffer {
    const { organizationId, qrCodeId } = this.#block.texts
    const number = qrCodeId.numbers[this.row] ?? 0
    const known = this.#codes[number]
    if (known?.organization === organization) return known.code
    const code = keys.codeOf(organizationId.valueOf(this.row), qrCodeId.valueOf(this.row))
    this.#codes[number] = { organization, code }
    return code
  }

  get #low(): number {
    return this.#halves[this.row * 2] ?? 0
  }

  get #high(): number {
    return this.#halves[this.row * 2 + 1] ?? 0
  }
}

function isNobody(visitors: Buffer, at: number): boolean {
  return (
    visitors.readUInt32LE(at) === 0xffffffff && nobodyBytes.compare(visitors, at, at + visitorBytes) === 0
  )
}
