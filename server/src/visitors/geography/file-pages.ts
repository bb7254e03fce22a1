import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import type { Bytes } from './mmdb-records.ts'

/** Nodes that a look reads after each other lie close together, so a page has many of them. */
const pageBytes = 4_096
/** 4 MB: the upper part of the tree, which every look reads, and what many looks read. */
const pagesMax = 1_024

/**
 * The bytes of a file that never changes while it is open. A page is read when it is needed, which
 * holds the process up: some microseconds if the system has it in memory, else for as long as the
 * disk takes.
 */
export class FilePages implements Bytes {
  readonly #file: number
  readonly bytes: number
  /** A page has one place, which it takes from the one before. */
  readonly #pages: (Buffer | undefined)[] = []
  readonly #indexes = new Int32Array(pagesMax).fill(-1)

  constructor(path: string) {
    this.#file = openSync(path, 'r')
    this.bytes = fstatSync(this.#file).size
  }

  byte(at: number): number {
    return this.#page(at)[at % pageBytes] as number
  }

  uint(at: number, size: number): number {
    const offset = at % pageBytes
    return offset + size <= pageBytes
      ? this.#page(at).readUIntBE(offset, size)
      : this.slice(at, at + size).readUIntBE(0, size)
  }

  slice(from: number, to: number): Buffer {
    const bytes = Buffer.alloc(to - from)
    for (let at = from; at < to;) {
      const offset = at % pageBytes
      at += this.#page(at).copy(bytes, at - from, offset, Math.min(pageBytes, offset + to - at))
    }
    return bytes
  }

  close(): void {
    closeSync(this.#file)
  }

  #page(at: number): Buffer {
    if (!(at >= 0 && at < this.bytes)) throw new Error('it points outside of itself')
    const index = Math.floor(at / pageBytes)
    const place = index % pagesMax
    const page = (this.#pages[place] ??= Buffer.allocUnsafeSlow(pageBytes))
    if (this.#indexes[place] === index) return page
    // After an error, the place has no page.
    this.#indexes[place] = -1
    const wanted = Math.min(pageBytes, this.bytes - index * pageBytes)
    for (let filled = 0; filled < wanted;) {
      const count = readSync(this.#file, page, filled, wanted - filled, index * pageBytes + filled)
      if (count === 0) throw new Error('it shrank')
      filled += count
    }
    this.#indexes[place] = index
    return page
  }
}
