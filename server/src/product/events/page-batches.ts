import type { Database } from '../../db/database.ts'
import { readEventPages, type EventPage, type EventPosition } from '../../db/feeds/event-pages.ts'

const pagesPerRead = 100

/**
 * Yields pages of some organizations between two positions, in order, in batches that fit in
 * memory.
 */
export async function* pageBatches(
  db: Database,
  organizationIds: readonly string[],
  { after, before, sinceMs }: { after: EventPosition; before: EventPosition; sinceMs: number },
): AsyncGenerator<EventPage[]> {
  if (organizationIds.length === 0) return
  let behind = after
  for (;;) {
    const range = { after: behind, before, sinceMs, limit: pagesPerRead }
    const pages = await readEventPages(db, organizationIds, range)
    if (pages.length > 0) yield pages
    const last = pages.at(-1)
    if (last === undefined || pages.length < pagesPerRead) return
    behind = { version: last.version, pageId: last.id }
  }
}
