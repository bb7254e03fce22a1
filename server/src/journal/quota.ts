import { journalBytes } from './journal-bytes.ts'
import type { JournalIo } from './journal-io.ts'

const measureMs = 5000
const measureWhenNearlyFullMs = 1000

const segmentBytesMax = 64 * 1024 * 1024
const segmentsMin = 8
/** A full journal records again when so much is free. */
const freeShareMin = 1 / 64

/**
 * At which size writers change their segments. The newest segment of each stays, so all of them together may take an
 * eighth of the bytes: the worker can always remove the rest.
 */
export function segmentBytesFor(bytesMax: number, writers = 1): number {
  return Math.min(segmentBytesMax, Math.floor(bytesMax / segmentsMin / writers))
}

export type QuotaOptions = {
  rootDir: string
  bytesMax: number
  io: JournalIo
  onProblem: (error: unknown, what: string) => void
}

/**
 * How much of the bytes allowed to all writers together is used: measured every 5 s, every second above 90 %, and
 * what this writer wrote since. Others write too, and the worker removes what it has ingested.
 */
export class Quota {
  isFull = false
  segments = 0
  readonly #options: QuotaOptions
  #measuredBytes = 0
  #writtenBytes = 0
  #timer: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(options: QuotaOptions) {
    this.#options = options
  }

  start(): void {
    void this.#measure()
  }

  get bytes(): number {
    return this.#measuredBytes + this.#writtenBytes
  }

  /** Once there is none, there is none until the worker has removed something: a smaller turn doesn't slip in. */
  hasRoom(bytes: number): boolean {
    if (!this.fits(bytes)) this.isFull = true
    return !this.isFull
  }

  fits(bytes: number): boolean {
    return this.bytes + bytes <= this.#options.bytesMax
  }

  add(bytes: number): void {
    this.#writtenBytes += bytes
  }

  close(): void {
    this.#isClosed = true
    clearTimeout(this.#timer)
  }

  async #measure(): Promise<void> {
    const { rootDir, bytesMax, io, onProblem } = this.#options
    const writtenBefore = this.#writtenBytes
    try {
      const { bytes, segments } = await journalBytes(rootDir, io)
      this.#measuredBytes = bytes
      this.#writtenBytes -= writtenBefore
      this.segments = segments
      if (this.bytes <= bytesMax * (1 - freeShareMin)) this.isFull = false
    } catch (error) {
      onProblem(error, 'measuring')
    }
    if (this.#isClosed) return
    const delayMs = this.bytes > bytesMax * 0.9 ? measureWhenNearlyFullMs : measureMs
    this.#timer = setTimeout(() => void this.#measure(), delayMs).unref()
  }
}
