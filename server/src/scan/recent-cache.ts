/**
 * Values by key, bounded. The least recently used half is forgotten first: there are two maps, and
 * the older one is dropped when the younger one is full. A hit in the older one moves up. This
 * costs one lookup more than a plain map, and needs no list.
 */
export class RecentCache<Value> {
  readonly #halfMax: number
  readonly #weigh: (value: Value) => number
  #young = new Map<string, Value>()
  #old = new Map<string, Value>()
  #youngWeight = 0

  /**
   * Holds values with a total weight of at most `weightMax`, plus one. Each value weighs 1 by
   * default.
   */
  constructor(weightMax: number, weigh: (value: Value) => number = () => 1) {
    this.#halfMax = Math.max(1, Math.ceil(weightMax / 2))
    this.#weigh = weigh
  }

  get size(): number {
    return this.#young.size + this.#old.size
  }

  get(key: string): Value | undefined {
    const value = this.#young.get(key)
    if (value !== undefined) return value
    const older = this.#old.get(key)
    if (older === undefined) return undefined
    this.#old.delete(key)
    this.set(key, older)
    return older
  }

  set(key: string, value: Value): void {
    this.delete(key)
    if (this.#youngWeight >= this.#halfMax) {
      this.#old = this.#young
      this.#young = new Map()
      this.#youngWeight = 0
    }
    this.#young.set(key, value)
    this.#youngWeight += this.#weigh(value)
  }

  delete(key: string): void {
    const value = this.#young.get(key)
    if (value !== undefined) {
      this.#young.delete(key)
      this.#youngWeight -= this.#weigh(value)
    }
    this.#old.delete(key)
  }

  clear(): void {
    this.#young.clear()
    this.#old.clear()
    this.#youngWeight = 0
  }
}
