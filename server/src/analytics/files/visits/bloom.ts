const bitsPerKey = 10
const probes = 6

/**
 * A Bloom filter of keys that are hashes: it tells that a key is not in a set. Of keys that are
 * not, 1 in 120 passes (10 bits and 6 probes a key).
 */
export class Bloom {
  readonly bits: Buffer
  readonly #size: number

  private constructor(bits: Buffer) {
    this.bits = bits
    this.#size = bits.length * 8
  }

  /** Returns an empty filter for this many keys: 1.25 bytes each. */
  static for(keys: number): Bloom {
    return new Bloom(Buffer.alloc(Math.ceil((Math.max(keys, 1) * bitsPerKey) / 8)))
  }

  /** Returns the filter that has these `bits`. */
  static of(bits: Buffer): Bloom {
    return new Bloom(bits)
  }

  /** Adds the key at an offset. */
  add(keys: Buffer, at: number): void {
    let place = keys.readUInt32LE(at) % this.#size
    const step = stepOf(keys, at) % this.#size
    for (let probe = 0; probe < probes; probe++) {
      this.bits[place >>> 3] = (this.bits[place >>> 3] ?? 0) | (1 << (place & 7))
      place += step
      if (place >= this.#size) place -= this.#size
    }
  }

  has(key: Buffer): boolean {
    let place = key.readUInt32LE(0) % this.#size
    const step = stepOf(key, 0) % this.#size
    for (let probe = 0; probe < probes; probe++) {
      if (((this.bits[place >>> 3] ?? 0) & (1 << (place & 7))) === 0) return false
      place += step
      if (place >= this.#size) place -= this.#size
    }
    return true
  }
}

/** An odd number, so that probes differ. */
function stepOf(keys: Buffer, at: number): number {
  return (keys.readUInt32LE(at + 4) | 1) >>> 0
}
