import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { limits } from '@everscan/contract/schema/limits.ts'
import type { Database } from '../../db/database.ts'
import { lastEventIdBefore, settledPosition, type EventPosition } from '../../db/feeds/event-pages.ts'
import { errorMessage } from '../../errors.ts'
import { noEventId } from '../../ids.ts'
import type { Log } from '../../log.ts'
import type { EventStreams, OpenStream } from './event-streams.ts'
import type { Places } from '../../limits/fair-share.ts'
import { ownLimiters, type Limiters } from '../../limits/limiters.ts'
import { keptMs, KeptEvents } from './kept-events.ts'
import { pageBatches } from './page-batches.ts'
import { PageFrames, type EventFilter, type RecordOf } from './page-frames.ts'
import { findResumePoint } from './resume-point.ts'
import { validHolders } from './stream-holders.ts'
import { StreamReader, type ReaderOptions } from './stream-reader.ts'

export type EventStreamsOptions = {
  db: Database
  recordOf: RecordOf
  log: Log
  clock?: () => number
  pollMs?: number
  limiters?: Limiters | undefined
} & Partial<Pick<ReaderOptions, 'heartbeatMs' | 'lifeMs' | 'unreadBytesMax'>>

const defaults = {
  clock: Date.now,
  pollMs: 250,
  heartbeatMs: 15_000,
  lifeMs: 3_600_000,
  unreadBytesMax: 1024 * 1024,
}
const holdersEveryMs = 1_000
const readersAtOnce = 8
const betweenMs = 4

/**
 * The live streams of this process. One look at the outbox serves all readers, and each event is
 * serialized once. A reader that resumes first catches up with the others, no faster than it reads.
 */
export class EventStreamHub implements EventStreams {
  readonly #options: Required<EventStreamsOptions>
  readonly #readers = new Set<StreamReader>()
  readonly #kept: KeptEvents
  readonly #places: Places
  /** How far the readers are that are up to date; undefined while there are no readers. */
  #position: EventPosition | undefined
  #isPolling = false
  #holdersAtMs = 0
  #isClosed = false

  constructor(options: EventStreamsOptions) {
    const { limiters = ownLimiters } = options
    this.#options = { ...defaults, ...options, limiters }
    this.#places = limiters.places({ noun: 'streams of events', ...limits.eventStreams })
    this.#kept = new KeptEvents(options.db, this.#options.clock)
  }

  async open(options: OpenStream): Promise<Readable> {
    const giveBack = await this.#places.take(options)
    try {
      const { stream } = await this.#begin(options, giveBack)
      return stream
    } catch (error) {
      giveBack()
      throw error
    }
  }

  close(): void {
    this.#isClosed = true
    for (const reader of this.#readers) reader.end()
    this.#readers.clear()
  }

  stats(): { readers: number } {
    return { readers: this.#readers.size }
  }

  async #begin(options: OpenStream, giveBack: () => void): Promise<StreamReader> {
    const { db } = this.#options
    const { organizationId, lastEventId } = options
    await this.#kept.keep([organizationId])
    const resumed =
      lastEventId === undefined
        ? undefined
        : await findResumePoint(db, { organizationId, lastEventId, sinceMs: this.#sinceMs() })
    if (this.#readers.size === 0 || this.#position === undefined) this.#position = await settledPosition(db)
    const from = this.#position
    const behind =
      resumed === undefined ? ((await lastEventIdBefore(db, organizationId, from)) ?? noEventId) : undefined
    // The others may have moved on during the last query.
    const reader = this.#add(options, resumed?.position ?? this.#position ?? from)
    // Not sooner: until the client has read the rest, the stream takes memory and a connection.
    reader.stream.once('close', giveBack)
    reader.begin({ behind, hasGap: resumed?.hasGap === true })
    if (resumed?.rest !== undefined) reader.send([this.#framed(resumed.rest.page)], resumed.rest.fromPlace)
    if (this.#isClosed) this.close()
    else if (!this.#isPolling) void this.#poll()
    return reader
  }

  #add(options: OpenStream, position: EventPosition): StreamReader {
    const reader = new StreamReader({
      ...this.#options,
      holder: options,
      isWanted: filterOf(options),
      position,
    })
    reader.stream.once('close', () => this.#readers.delete(reader))
    this.#readers.add(reader)
    return reader
  }

  async #poll(): Promise<void> {
    this.#isPolling = true
    while (this.#readers.size > 0) {
      try {
        await this.#turn()
      } catch (error) {
        this.#options.log.warn({ error: errorMessage(error) }, 'the live stream waits')
      }
      await sleep(this.#options.pollMs)
    }
    this.#isPolling = false
    this.#position = undefined
  }

  async #turn(): Promise<void> {
    const { db, clock } = this.#options
    for (const reader of this.#readers) reader.keepAlive()
    this.#forgetEnded()
    await this.#kept.keep(new Set([...this.#readers].map(({ organizationId }) => organizationId)))
    if (clock() >= this.#holdersAtMs) await this.#endRevoked()
    const from = this.#position ?? (await settledPosition(db))
    // Only those that are here now: a reader that comes during the look begins behind it.
    const live = [...this.#readers].filter((reader) => reader.position === from)
    const settled = await settledPosition(db)
    await this.#sendBetween(live, { after: from, before: settled })
    this.#position = settled
    for (const reader of live) reader.position = settled
    // Until the next turn: during one, they would never be where it begins.
    for (const reader of this.#readers)
      if (reader.position !== settled && !reader.isCatchingUp) void this.#catchUp(reader)
  }

  async #sendBetween(
    live: readonly StreamReader[],
    range: { after: EventPosition; before: EventPosition },
  ): Promise<void> {
    const organizationIds = [...new Set(live.map(({ organizationId }) => organizationId))]
    const sinceMs = this.#sinceMs()
    for await (const pages of pageBatches(this.#options.db, organizationIds, { ...range, sinceMs })) {
      const framed = Map.groupBy(
        pages.map((page) => this.#framed(page)),
        ({ organizationId }) => organizationId,
      )
      for (const [index, reader] of live.entries()) {
        reader.send(framed.get(reader.organizationId) ?? [])
        // Not all at once: the front hands them on in the same loop in which it redirects.
        if (index % readersAtOnce === readersAtOnce - 1) await sleep(betweenMs)
      }
    }
  }

  /** Brings a reader that resumed to where the others are, which may move on meanwhile. */
  async #catchUp(reader: StreamReader): Promise<void> {
    reader.isCatchingUp = true
    try {
      for (;;) {
        const before = this.#position
        if (before === undefined || reader.position === before || !reader.isOpen) return
        const range = { after: reader.position, before, sinceMs: this.#sinceMs() }
        for await (const pages of pageBatches(this.#options.db, [reader.organizationId], range))
          for (const page of pages) {
            reader.send([this.#framed(page)])
            await reader.drain()
          }
        reader.position = before
      }
    } catch (error) {
      this.#options.log.warn({ error: errorMessage(error) }, 'a reader of the live stream was cut off')
      reader.cutOff()
    } finally {
      reader.isCatchingUp = false
    }
  }

  /**
   * Ends the streams of revoked or expired keys, of ended sessions, and of accounts that have left.
   * Their readers get nothing more after a second.
   */
  async #endRevoked(): Promise<void> {
    const { db, clock } = this.#options
    this.#holdersAtMs = clock() + holdersEveryMs
    const looked = [...this.#readers]
    const isValid = await validHolders(
      db,
      looked.map(({ holder }) => holder),
      clock(),
    )
    for (const reader of looked) if (!isValid(reader.holder)) reader.end()
    this.#forgetEnded()
  }

  #forgetEnded(): void {
    for (const reader of this.#readers) if (!reader.isOpen) this.#readers.delete(reader)
  }

  #framed(page: ConstructorParameters<typeof PageFrames>[0]): PageFrames {
    return new PageFrames(page, this.#options.recordOf)
  }

  #sinceMs(): number {
    return this.#options.clock() - keptMs
  }
}

function filterOf({ events, qrCodeIds }: OpenStream): EventFilter {
  if (events === undefined && qrCodeIds === undefined) return undefined
  const names = events && new Set(events)
  const codes = qrCodeIds && new Set(qrCodeIds)
  return ({ event, qrCodeId }) =>
    (names === undefined || names.has(event)) &&
    (codes === undefined || (qrCodeId !== null && codes.has(qrCodeId)))
}
