const chunkBits = 4096
const wordBits = 32

/**
 * Sequences of a writer, a bit for each: a million in a row take 125 kB. One that has no neighbours
 * takes about 600 bytes.
 */
export class SequenceSet {
  readonly #chunks = new Map<number, Uint32Array>()
  #size = 0

  get size(): number {
    return this.#size
  }

  /** Adds a sequence, from 0 to 2^53 - 1. Returns whether it is a new one. */
  add(sequence: number): boolean {
    const number = Math.floor(sequence / chunkBits)
    let words = this.#chunks.get(number)
    if (words === undefined) this.#chunks.set(number, (words = new Uint32Array(chunkBits / wordBits)))
    const bit = sequence % chunkBits
    const at = bit >>> 5
    const word = words[at] ?? 0
    const mask = 1 << (bit & 31)
    if ((word & mask) !== 0) return false
    words[at] = word | mask
    this.#size++
    return true
  }

  has(sequence: number): boolean {
    const bit = sequence % chunkBits
    const word = this.#chunks.get(Math.floor(sequence / chunkBits))?.[bit >>> 5] ?? 0
    return (word & (1 << (bit & 31))) !== 0
  }

  /** Calls `visit` with each sequence, from the least one on. */
  forEach(visit: (sequence: number) => void): void {
    for (const number of [...this.#chunks.keys()].toSorted((one, other) => one - other))
      for (const [at, word] of (this.#chunks.get(number) ?? []).entries()) {
        const first = number * chunkBits + at * wordBits
        for (let rest = word; rest !== 0; rest &= rest - 1) visit(first + 31 - Math.clz32(rest & -rest))
      }
  }
}
