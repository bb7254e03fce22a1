import type { Database } from '../../db/database.ts'
import {
  firstPosition,
  readEventPage,
  settledPosition,
  type EventPage,
  type EventPosition,
} from '../../db/feeds/event-pages.ts'
import { noEventId, placeOfEvent } from '../../ids.ts'

/** The point from which a returning reader continues. */
export type ResumePoint = {
  position: EventPosition
  /** The page of its last event, whose rest from `fromPlace` on it has not seen. */
  rest?: { page: EventPage; fromPlace: number }
  /** Its last event is not kept any more: it begins with the oldest that is. */
  hasGap: boolean
}

/** Finds the event that a reader names as its last, among those since `sinceMs`. */
export async function findResumePoint(
  db: Database,
  { organizationId, lastEventId, sinceMs }: { organizationId: string; lastEventId: string; sinceMs: number },
): Promise<ResumePoint> {
  if (lastEventId === noEventId) return { position: firstPosition, hasGap: false }
  const place = placeOfEvent(lastEventId)
  const page = await readEventPage(db, { organizationId, id: place?.pageId ?? '' }, { sinceMs })
  const settled = await settledPosition(db)
  // A page ahead of all others is from before the catalogue was restored elsewhere. Its number
  // means nothing here.
  const isKnown = page !== undefined && place !== undefined && BigInt(page.version) < BigInt(settled.version)
  if (!isKnown || page.events[place.place] === undefined) return { position: firstPosition, hasGap: true }
  return {
    position: { version: page.version, pageId: page.id },
    rest: { page, fromPlace: place.place + 1 },
    hasGap: false,
  }
}
