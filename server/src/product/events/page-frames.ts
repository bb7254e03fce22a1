import type { Event } from '@everscan/contract/resources/events.ts'
import type { EventPage, StoredEvent } from '../../db/feeds/event-pages.ts'
import { eventId } from '../../ids.ts'

/** Which events a reader takes; undefined: all. */
export type EventFilter = ((event: StoredEvent) => boolean) | undefined

/** An event as the interface shows it. */
export type RecordOf = (event: StoredEvent, place: { organizationId: string; id: string }) => Event

/**
 * The events of a page in wire format. Each is created once, for its first reader, and shared by
 * all others.
 */
export class PageFrames {
  readonly organizationId: string
  readonly #page: EventPage
  readonly #recordOf: RecordOf
  readonly #frames: (Buffer | undefined)[] = []
  #whole: Buffer | undefined

  constructor(page: EventPage, recordOf: RecordOf) {
    this.organizationId = page.organizationId
    this.#page = page
    this.#recordOf = recordOf
  }

  /** The events from a place of the page on that a reader takes. */
  bytes(isWanted: EventFilter, fromPlace: number): Buffer {
    const { events } = this.#page
    if (isWanted === undefined && fromPlace === 0) {
      this.#whole ??= Buffer.concat(events.map((event, place) => this.#frame(event, place)))
      return this.#whole
    }
    const chosen = events.flatMap((event, place) =>
      place >= fromPlace && (isWanted?.(event) ?? true) ? [this.#frame(event, place)] : [],
    )
    return Buffer.concat(chosen)
  }

  #frame(event: StoredEvent, place: number): Buffer {
    const { organizationId, id } = this.#page
    return (this.#frames[place] ??= Buffer.from(
      frameOf(this.#recordOf(event, { organizationId, id: eventId(id, place) })),
    ))
  }
}

/**
 * JSON has no line breaks, so the data is one line:
 * https://html.spec.whatwg.org/multipage/server-sent-events.html
 */
function frameOf(event: Event): string {
  return `id: ${event.id}\nevent: ${event.event}\ndata: ${JSON.stringify(event)}\n\n`
}
