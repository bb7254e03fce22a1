import { deflateSync } from 'node:zlib'
import type { LogoData } from '../shapes/logo-data.ts'

/**
 * The numbered objects of a file and the table of their offsets. A caller can take finished objects
 * as bytes while it adds the rest (`drain`), so that a long file needs no more memory than a short
 * one.
 */
export class PdfObjects {
  /** Objects not drained yet, by number. A reserved object is empty until it is set. */
  private readonly waiting = new Map<number, Buffer>()
  private readonly offsets: number[] = []
  private length = 0
  /** The images of the file, by their content. */
  readonly images = new Map<string, number>()

  reserve(): number {
    return this.addBody(Buffer.alloc(0))
  }

  set(number: number, body: string) {
    this.waiting.set(number, Buffer.from(body, 'latin1'))
  }

  add(body: string): number {
    return this.addBody(Buffer.from(body, 'latin1'))
  }

  addStream(dictionary: string, data: Buffer): number {
    // Zlib's default level. The highest level takes three times as long and compresses these
    // contents no better.
    return this.addPacked(dictionary, { filter: 'FlateDecode', samples: deflateSync(data) })
  }

  addPacked(dictionary: string, { filter, samples }: Pick<LogoData, 'filter' | 'samples'>): number {
    const head = `<<${dictionary}/Filter/${filter}/Length ${samples.length}>>stream\n`
    return this.addBody(Buffer.concat([Buffer.from(head, 'latin1'), samples, Buffer.from('\nendstream')]))
  }

  /** Returns the next part of the file: every object that was finished since the last call. */
  drain(): Buffer {
    // ISO 32000-1, 7.5: a header with bytes above 127, so that no program mistakes the file for
    // text.
    const parts = this.length === 0 ? [Buffer.from('%PDF-1.4\n%\xe2\xe3\xcf\xd3\n', 'latin1')] : []
    let offset = this.length + (parts[0]?.length ?? 0)
    for (const [number, body] of this.waiting) {
      if (body.length === 0) continue
      const part = Buffer.concat([Buffer.from(`${number} 0 obj\n`), body, Buffer.from('\nendobj\n')])
      this.offsets[number - 1] = offset
      this.waiting.delete(number)
      parts.push(part)
      offset += part.length
    }
    this.length = offset
    return Buffer.concat(parts)
  }

  /** Returns the end of the file: the remaining objects, the table, the trailer. */
  end(trailer: string): Buffer {
    const rest = this.drain()
    const count = this.offsets.length + 1
    const entries = this.offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`)
    const table = `xref\n0 ${count}\n0000000000 65535 f \n${entries.join('')}`
    const tail = `${table}trailer\n<</Size ${count}${trailer}>>\nstartxref\n${this.length}\n%%EOF\n`
    return Buffer.concat([rest, Buffer.from(tail)])
  }

  private addBody(body: Buffer): number {
    // Holds the place even if the object is only reserved.
    const number = this.offsets.push(0)
    this.waiting.set(number, body)
    return number
  }
}

/**
 * Returns a text string in UTF-16 with a byte order mark, as hexadecimal digits, which need no
 * escapes (7.9.2.2).
 */
export function writeText(text: string): string {
  const bytes = Buffer.from(`\ufeff${text.toWellFormed()}`, 'utf16le').swap16()
  return `<${bytes.toString('hex')}>`
}
