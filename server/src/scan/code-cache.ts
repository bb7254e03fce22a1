/**
 * Answers by code, bounded, least recently used half forgotten first: two maps, of which the older is dropped when the
 * younger is full. A hit in the older moves up. That costs one look-up more than a plain map, and no list to keep.
 */
export class CodeCache<Value> {
  readonly #halfMax: number
  #young = new Map<string, Value>()
  #old = new Map<string, Value>()

  constructor(entriesMax: number) {
    this.#halfMax = Math.max(1, Math.ceil(entriesMax / 2))
  }

  get size(): number {
    return this.#young.size + this.#old.size
  }

  get(code: string): Value | undefined {
    const value = this.#young.get(code)
    if (value !== undefined) return value
    const older = this.#old.get(code)
    if (older === undefined) return undefined
    this.#old.delete(code)
    this.set(code, older)
    return older
  }

  set(code: string, value: Value): void {
    if (this.#young.size >= this.#halfMax && !this.#young.has(code)) {
      this.#old = this.#young
      this.#young = new Map()
    }
    this.#old.delete(code)
    this.#young.set(code, value)
  }

  delete(code: string): void {
    this.#young.delete(code)
    this.#old.delete(code)
  }

  clear(): void {
    this.#young.clear()
    this.#old.clear()
  }
}
