/** Numbers of lines of one file, a bit for each: an archive has millions of lines. */
export class LineSet {
  #bits = new Uint8Array(128)

  add(line: number): void {
    const at = line >> 3
    if (at >= this.#bits.length) {
      const more = new Uint8Array(2 * at)
      more.set(this.#bits)
      this.#bits = more
    }
    this.#bits[at] = (this.#bits[at] ?? 0) | (1 << (line & 7))
  }

  has(line: number): boolean {
    return ((this.#bits[line >> 3] ?? 0) & (1 << (line & 7))) !== 0
  }
}
