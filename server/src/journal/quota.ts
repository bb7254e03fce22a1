import { journalBytes } from './journal-bytes.ts'
import type { JournalIo } from './journal-io.ts'

const measureMs = 5000
const measureWhenNearlyFullMs = 1000

const segmentBytesMax = 64 * 1024 * 1024
const segmentsMin = 8
/** The share of free bytes at which a full journal records again. */
const freeShareMin = 1 / 64

/**
 * Returns the size at which writers start a new segment. The newest segment of each writer stays,
 * so all of these together may take an eighth of the bytes. The worker can always remove the rest.
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
 * The used part of the bytes that all writers together may take. It is measured every 5 s, or every
 * second above 90 %, and includes what this writer wrote since. Other writers write too, and the
 * worker removes what it has ingested.
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

  /**
   * Returns whether there is room. Once there is none, there is none until the worker has removed
   * something, so that a smaller turn does not slip in.
   */
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
