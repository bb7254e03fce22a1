import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { problem } from '@everscan/contract/problems/problem.ts'
import { eventGap } from '@everscan/contract/resources/events.ts'
import type { EventPosition } from '../../db/feeds/event-pages.ts'
import type { Log } from '../../log.ts'
import type { PlaceHolder } from '../../catalogue/organizations/callers.ts'
import type { EventFilter, PageFrames } from './page-frames.ts'

export type ReaderOptions = {
  holder: PlaceHolder
  isWanted: EventFilter
  position: EventPosition
  log: Log
  clock: () => number
  heartbeatMs: number
  /** The stream ends after this long; its reader comes back where it was. */
  lifeMs: number
  /** A reader that leaves so much unread is cut off. */
  unreadBytesMax: number
}

/** Small pieces are copied into one write; large ones are shared by all their readers. */
const copiedBytesMax = 16 * 1024
/** A reader that catches up is given more when it has less than this before it. */
const drainedBytesMax = 128 * 1024
/** How long clients wait before they come back. */
const retryMs = 2_000

const gapFrame = `event: ${eventGap}\ndata: ${JSON.stringify(problem('eventsNotKept'))}\n\n`

/** One reader of the live stream: the events it takes, its position, and the bytes that wait. */
export class StreamReader {
  readonly holder: PlaceHolder
  readonly stream: Readable
  readonly #options: ReaderOptions
  readonly #endAtMs: number
  #heartbeatAtMs: number
  #hasEnded = false
  /** Resolved when the reader has taken what there was. */
  #taken = Promise.withResolvers<void>()
  /** Everything up to here is sent. */
  position: EventPosition
  /** While it is behind the others, it is given events no faster than it reads. */
  isCatchingUp = false

  constructor(options: ReaderOptions) {
    const { holder, position, clock, lifeMs, heartbeatMs } = options
    this.#options = options
    this.holder = holder
    this.position = position
    this.#endAtMs = clock() + lifeMs
    this.#heartbeatAtMs = clock() + heartbeatMs
    this.stream = new Readable({ highWaterMark: 64 * 1024, read: () => this.#taken.resolve() })
  }

  get organizationId(): string {
    return this.holder.organizationId
  }

  get isOpen(): boolean {
    return !this.#hasEnded && !this.stream.destroyed
  }

  /** The first bytes. With `behind`, a new reader learns the id of the event before its first. */
  begin({ behind, hasGap }: { behind?: string | undefined; hasGap: boolean }): void {
    this.stream.push(`retry: ${retryMs}\n: connected\n\n`)
    // An id without data is not an event. A reader that loses the connection before its first event
    // resumes there.
    if (behind !== undefined) this.stream.push(`id: ${behind}\n\n`)
    if (hasGap) this.stream.push(gapFrame)
  }

  /** Sends what it takes of some pages, from a place of the first page on. */
  send(pages: readonly PageFrames[], fromPlace = 0): void {
    if (!this.isOpen) return
    const { isWanted, clock, heartbeatMs, unreadBytesMax, log } = this.#options
    const pieces = pages.map((page, index) => page.bytes(isWanted, index === 0 ? fromPlace : 0))
    const size = pieces.reduce((sum, piece) => sum + piece.length, 0)
    if (size === 0) return
    this.#heartbeatAtMs = clock() + heartbeatMs
    for (const piece of size < copiedBytesMax ? [Buffer.concat(pieces)] : pieces)
      if (piece.length > 0) this.stream.push(piece)
    if (!this.isCatchingUp && this.stream.readableLength > unreadBytesMax) {
      log.info({ organization: this.organizationId }, 'a slow reader of the live stream was cut off')
      this.stream.destroy()
    }
  }

  /**
   * Waits until the reader has taken most of the waiting bytes. Cuts off a reader that takes
   * nothing for a while.
   */
  async drain(): Promise<void> {
    while (this.stream.readableLength > drainedBytesMax && !this.stream.destroyed) {
      this.#taken = Promise.withResolvers()
      const isTaken = await Promise.race([
        this.#taken.promise.then(() => true),
        sleep(this.#options.heartbeatMs, false, { ref: false }),
      ])
      if (!isTaken) this.stream.destroy()
    }
  }

  /** Ends the stream when its time is over. Otherwise sends a heartbeat after a long silence. */
  keepAlive(): void {
    const nowMs = this.#options.clock()
    if (nowMs >= this.#endAtMs) this.end()
    else if (nowMs >= this.#heartbeatAtMs && this.isOpen) {
      this.#heartbeatAtMs = nowMs + this.#options.heartbeatMs
      this.stream.push(': heartbeat\n\n')
    }
  }

  /** The reader still gets what was sent, and then an end in order. */
  end(): void {
    if (this.isOpen) this.stream.push(null)
    this.#hasEnded = true
  }

  cutOff(): void {
    this.stream.destroy()
  }
}
