import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { eventGap, type Event } from '@everscan/contract/resources/events.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import type { Database } from '../../db/database.ts'
import {
  firstPosition,
  keepEvents,
  lastEventIdBefore,
  readEventPage,
  readEventPages,
  settledPosition,
  type EventPage,
  type EventPosition,
  type StoredEvent,
} from '../../db/feeds/event-pages.ts'
import { ApiError, errorMessage } from '../../errors.ts'
import { eventId, noEventId, placeOfEvent } from '../../ids.ts'
import type { Log } from '../../log.ts'
import { validHolders } from './stream-holders.ts'
import type { StreamHolder } from '../http/callers.ts'
import type { EventStreams, OpenStream } from '../http/api-context.ts'

export type EventStreamsOptions = {
  db: Database
  recordOf: (event: StoredEvent, place: { organizationId: string; id: string }) => Event
  log: Log
  clock?: () => number
  pollMs?: number
  heartbeatMs?: number
  /** A stream ends after this long; its reader comes back where it was. */
  lifeMs?: number
  /** Who has left so much unread is cut off. */
  unreadBytesMax?: number
}

const hourMs = 3_600_000
const keptMs = limits.eventHours * hourMs
/** How often an organization with readers says so, well within the time for which that holds. */
const keepEveryMs = 10 * 60_000
const keysEveryMs = 1_000
const pagesPerRead = 100
const readersAtOnce = 8
const betweenMs = 4
const copiedBytesMax = 16 * 1024
/** What clients wait before they come back. */
const retryMs = 2_000

type Reader = StreamHolder & {
  isWanted: ((event: StoredEvent) => boolean) | undefined
  stream: Readable
  /** Everything up to here is sent. */
  position: EventPosition
  catchingUp: boolean
  endAtMs: number
  heartbeatAtMs: number
  /** Told when the reader has taken what there was. */
  drained: PromiseWithResolvers<void>
}

/**
 * One look at the outbox serves all readers of this process, and each event is made into text once. A reader who resumes is first brought up to where the
 * others are, no faster than it reads.
 */
export function createEventStreams({
  db,
  recordOf,
  log,
  clock = Date.now,
  pollMs = 250,
  heartbeatMs = 15_000,
  lifeMs = hourMs,
  unreadBytesMax = 1024 * 1024,
}: EventStreamsOptions): EventStreams {
  const readers = new Set<Reader>()
  const keptUntilMs = new Map<string, number>()
  /** Where those are that are up to date; undefined while nobody reads. */
  let position: EventPosition | undefined
  let polling: Promise<void> | undefined
  let keysAtMs = 0
  let closed = false

  async function open(options: OpenStream): Promise<Readable> {
    const { organizationId, keyId, sessionId, lastEventId } = options
    requireRoom(readers, organizationId)
    await keep([organizationId])
    const resumed = lastEventId === undefined ? undefined : await resume(organizationId, lastEventId)
    if (readers.size === 0 || position === undefined) position = await settledPosition(db)
    const from = position
    const begin = resumed === undefined ? await lastEventIdBefore(db, organizationId, from) : undefined
    requireRoom(readers, organizationId)
    const drained = Promise.withResolvers<void>()
    const reader: Reader = {
      organizationId,
      keyId,
      sessionId,
      isWanted: wantedOf(options),
      stream: new Readable({
        highWaterMark: 64 * 1024,
        read: () => reader.drained.resolve(),
      }),
      position: resumed?.position ?? position ?? from,
      catchingUp: false,
      endAtMs: clock() + lifeMs,
      heartbeatAtMs: clock() + heartbeatMs,
      drained,
    }
    reader.stream.once('close', () => readers.delete(reader))
    // An id without data is not an event, but where a reader goes on that lost the connection before the first one came.
    reader.stream.push(`retry: ${retryMs}\n: connected\n\n`)
    if (resumed === undefined) reader.stream.push(`id: ${begin ?? noEventId}\n\n`)
    if (resumed?.gap === true) reader.stream.push(gapFrame)
    readers.add(reader)
    if (resumed?.page !== undefined)
      send(reader, [framed(resumed.page).bytes(reader.isWanted, resumed.place + 1)])
    if (closed) close()
    polling ??= poll()
    return reader.stream
  }

  /** Where the last event stands, and the rest of its page; the beginning of what is kept when it is not there. */
  async function resume(
    organizationId: string,
    lastEventId: string,
  ): Promise<{ position: EventPosition; page?: EventPage; place: number; gap?: true }> {
    if (lastEventId === noEventId) return { position: firstPosition, place: 0 }
    const place = placeOfEvent(lastEventId)
    const key = { organizationId, id: place?.pageId ?? '' }
    const page = await readEventPage(db, key, { sinceMs: clock() - keptMs })
    const settled = await settledPosition(db)
    // A page ahead of everything is from before the catalogue was restored elsewhere: its number says nothing here.
    const isKnown =
      page !== undefined && place !== undefined && BigInt(page.version) < BigInt(settled.version)
    if (!isKnown || page.events[place.place] === undefined)
      return { position: firstPosition, place: 0, gap: true }
    return { position: { version: page.version, pageId: page.id }, page, place: place.place }
  }

  async function poll(): Promise<void> {
    while (readers.size > 0) {
      try {
        await turn()
      } catch (error) {
        log.warn({ error: errorMessage(error) }, 'the live stream waits')
      }
      await sleep(pollMs)
    }
    polling = undefined
    position = undefined
  }

  async function turn(): Promise<void> {
    endOld()
    await keep(new Set([...readers].map(({ organizationId }) => organizationId)))
    if (clock() >= keysAtMs) await endRevoked()
    const from = position ?? (await settledPosition(db))
    // Only those that are here now: whoever comes during the look begins behind it.
    const live = [...readers].filter((reader) => reader.position === from)
    const settled = await settledPosition(db)
    const byOrganization = Map.groupBy(live, ({ organizationId }) => organizationId)
    await eachBatch([...byOrganization.keys()], { after: from, before: settled }, async (pages) => {
      const frames = pages.map((page) => ({ organizationId: page.organizationId, frames: framed(page) }))
      for (const [index, reader] of live.entries()) {
        const own = frames.filter(({ organizationId }) => organizationId === reader.organizationId)
        send(
          reader,
          own.map((one) => one.frames.bytes(reader.isWanted, 0)),
        )
        // Not all at once: the front hands them on in the same loop in which it redirects.
        if (index % readersAtOnce === readersAtOnce - 1) await sleep(betweenMs)
      }
    })
    position = settled
    for (const reader of live) reader.position = settled
    // Until the next turn: during one, they would never be where it begins.
    for (const reader of readers) if (reader.position !== settled && !reader.catchingUp) void catchUp(reader)
  }

  async function eachBatch(
    organizationIds: readonly string[],
    { after, before }: { after: EventPosition; before: EventPosition },
    work: (pages: readonly EventPage[]) => Promise<void>,
  ): Promise<void> {
    if (organizationIds.length === 0) return
    const sinceMs = clock() - keptMs
    let behind = after
    for (;;) {
      const range = { after: behind, before, sinceMs, limit: pagesPerRead }
      const pages = await readEventPages(db, organizationIds, range)
      if (pages.length > 0) await work(pages)
      const last = pages.at(-1)
      if (last === undefined || pages.length < pagesPerRead) return
      behind = { version: last.version, pageId: last.id }
    }
  }

  async function catchUp(reader: Reader): Promise<void> {
    const { organizationId } = reader
    reader.catchingUp = true
    try {
      for (;;) {
        const before = position
        if (before === undefined || reader.position === before || !readers.has(reader)) return
        await eachBatch([organizationId], { after: reader.position, before }, async (pages) => {
          for (const page of pages) {
            send(reader, [framed(page).bytes(reader.isWanted, 0)])
            await drain(reader)
          }
        })
        reader.position = before
      }
    } catch (error) {
      log.warn({ error: errorMessage(error) }, 'a reader of the live stream was cut off')
      reader.stream.destroy()
    } finally {
      reader.catchingUp = false
    }
  }

  /** Waits until a reader has taken most of what there is; one that takes nothing for a while is let go. */
  async function drain(reader: Reader): Promise<void> {
    while (reader.stream.readableLength > 128 * 1024 && !reader.stream.destroyed) {
      reader.drained = Promise.withResolvers()
      const taken = await Promise.race([
        reader.drained.promise.then(() => true),
        sleep(heartbeatMs, false, { ref: false }),
      ])
      if (!taken) reader.stream.destroy()
    }
  }

  function send(reader: Reader, pieces: readonly Buffer[]): void {
    if (!readers.has(reader) || reader.stream.destroyed) return
    const size = pieces.reduce((sum, piece) => sum + piece.length, 0)
    if (size === 0) return
    reader.heartbeatAtMs = clock() + heartbeatMs
    // Small ones in one write; large ones are shared by all who read them, and not copied.
    for (const piece of size < copiedBytesMax ? [Buffer.concat(pieces)] : pieces)
      if (piece.length > 0) reader.stream.push(piece)
    if (!reader.catchingUp && reader.stream.readableLength > unreadBytesMax) {
      log.info({ organization: reader.organizationId }, 'a slow reader of the live stream was cut off')
      reader.stream.destroy()
    }
  }

  function framed({ organizationId, id, events }: EventPage): Frames {
    return createFrames(events, (event, place) =>
      frameOf(recordOf(event, { organizationId, id: eventId(id, place) })),
    )
  }

  function endOld(): void {
    const nowMs = clock()
    for (const reader of readers) {
      if (nowMs >= reader.endAtMs) {
        readers.delete(reader)
        reader.stream.push(null)
      } else if (nowMs >= reader.heartbeatAtMs) {
        reader.heartbeatAtMs = nowMs + heartbeatMs
        reader.stream.push(': heartbeat\n\n')
      }
    }
  }

  /** A key that was revoked or has expired, a session that ended, an account that left: they read no more within a second. */
  async function endRevoked(): Promise<void> {
    keysAtMs = clock() + keysEveryMs
    const looked = [...readers]
    const isValid = await validHolders(db, looked, clock())
    for (const reader of looked) {
      if (isValid(reader)) continue
      readers.delete(reader)
      reader.stream.push(null)
    }
  }

  async function keep(organizationIds: Iterable<string>): Promise<void> {
    const nowMs = clock()
    const due = [...organizationIds].filter(
      (id) => (keptUntilMs.get(id) ?? 0) - keptMs + keepEveryMs <= nowMs,
    )
    if (due.length === 0) return
    await keepEvents(db, due, nowMs + keptMs)
    if (keptUntilMs.size > 10_000) keptUntilMs.clear()
    for (const id of due) keptUntilMs.set(id, nowMs + keptMs)
  }

  function close(): void {
    closed = true
    for (const reader of readers) reader.stream.push(null)
    readers.clear()
  }

  return {
    open,
    close,
    stats: () => ({ readers: readers.size }),
  }
}

const gapFrame = `event: ${eventGap}\ndata: ${JSON.stringify({
  message: 'The event of Last-Event-ID is not kept any more; this goes on with the oldest that is.',
})}\n\n`

function requireRoom(readers: ReadonlySet<Reader>, organizationId: string): void {
  const own = [...readers].filter((reader) => reader.organizationId === organizationId).length
  if (own < limits.eventStreamsOfOrganizationMax && readers.size < limits.eventStreamsMax) return
  const message = 'Too many streams of events are open. Close one, or try again later.'
  throw new ApiError(429, 'RATE_LIMITED', message, { headers: { 'retry-after': '5' } })
}

function wantedOf({ events, qrCodeIds }: OpenStream): Reader['isWanted'] {
  if (events === undefined && qrCodeIds === undefined) return undefined
  const names = events && new Set(events)
  const codes = qrCodeIds && new Set(qrCodeIds)
  return ({ event, qrCodeId }) =>
    (names === undefined || names.has(event)) &&
    (codes === undefined || (qrCodeId !== null && codes.has(qrCodeId)))
}

/** The events of a page as they go over the wire. */
type Frames = { bytes: (isWanted: Reader['isWanted'], fromPlace: number) => Buffer }

/** Made at the first reader who wants them, once for all of them. */
function createFrames(
  events: readonly StoredEvent[],
  frameAt: (event: StoredEvent, place: number) => string,
): Frames {
  const frames: (Buffer | undefined)[] = []
  const frame = (event: StoredEvent, place: number): Buffer => {
    const made = frames[place] ?? Buffer.from(frameAt(event, place))
    frames[place] = made
    return made
  }
  let whole: Buffer | undefined
  return {
    bytes: (isWanted, fromPlace) => {
      if (isWanted === undefined && fromPlace === 0) {
        whole ??= Buffer.concat(events.map(frame))
        return whole
      }
      const chosen = events.flatMap((event, place) =>
        place >= fromPlace && (isWanted?.(event) ?? true) ? [frame(event, place)] : [],
      )
      return Buffer.concat(chosen)
    },
  }
}

/** JSON has no line breaks, so it is one line of data: https://html.spec.whatwg.org/multipage/server-sent-events.html */
function frameOf(event: Event): string {
  return `id: ${event.id}\nevent: ${event.event}\ndata: ${JSON.stringify(event)}\n\n`
}
