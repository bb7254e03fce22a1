const bitsPerKey = 10
const probes = 6

/** Tells most keys that are not in a set: one in a hundred of them passes. Keys are hashes. */
export class Bloom {
  readonly #bits: Uint8Array
  readonly #size: number

  constructor(keys: number) {
    this.#bits = new Uint8Array(Math.ceil((keys * bitsPerKey) / 8))
    this.#size = this.#bits.length * 8
  }

  add(key: Buffer): void {
    const [first, step] = stepsOf(key)
    for (let probe = 0; probe < probes; probe++) {
      const bit = (first + probe * step) % this.#size
      this.#bits[bit >>> 3] = (this.#bits[bit >>> 3] ?? 0) | (1 << (bit & 7))
    }
  }

  has(key: Buffer): boolean {
    const [first, step] = stepsOf(key)
    for (let probe = 0; probe < probes; probe++) {
      const bit = (first + probe * step) % this.#size
      if (((this.#bits[bit >>> 3] ?? 0) & (1 << (bit & 7))) === 0) return false
    }
    return true
  }
}

function stepsOf(key: Buffer): [first: number, step: number] {
  return [key.readUInt32LE(0), (key.readUInt32LE(4) | 1) >>> 0]
}
