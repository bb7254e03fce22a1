import { limits } from '@everscan/contract/schema/limits.ts'
import { sql, type SqlBool } from 'kysely'
import { untried } from '../../catalogue/webhooks/deliveries.ts'
import {
  forNoKeyUpdateSkipLocked,
  inTransaction,
  forKeyShare,
  tag,
  type Database,
} from '../../db/database.ts'
import { distinctValues } from '../../db/dialects/distinct-values.ts'
import { takes, type StoredEvent } from '../../db/feeds/event-pages.ts'
import { insertRows } from '../../db/dialects/row-sets.ts'
import type { Tables } from '../../db/tables.ts'
import { createId } from '../../ids.ts'
import type { Insertable } from 'kysely'

/**
 * The number of pages that are read at once, and the approximate number of deliveries that one
 * transaction creates.
 */
const pagesMax = 10
const rowsPerTransaction = 2_000

type NewDelivery = Insertable<Tables['webhook_deliveries']>
type Receiver = { id: string; taken: ReadonlySet<string>; batch: boolean }

/**
 * Creates the deliveries of new events: one for each webhook that takes them. Organizations take
 * turns, so that a large import does not delay other organizations. A page is marked as fanned out
 * in the same transaction as its deliveries, and no two workers do this for the same page. Returns
 * the number of pages; 0: nothing is left.
 */
export async function fanOut(db: Database, nowMs: number): Promise<number> {
  const organizations = await distinctValues(db, 'event_pages', {
    column: 'organization_id',
    where: sql<SqlBool>`fanned_out = 0`,
  })
  let pages = 0
  for (const organizationId of organizations) pages += await fanOutSome(db, organizationId, nowMs)
  return pages
}

async function fanOutSome(db: Database, organizationId: string, nowMs: number): Promise<number> {
  return inTransaction(db, async (tx) => {
    const pages = await tx.kysely
      .selectFrom('event_pages')
      .select(['id', 'events'])
      .where('organization_id', '=', organizationId)
      .where('fanned_out', '=', 0)
      .orderBy(sql`version`)
      .orderBy('id')
      .limit(pagesMax)
      .modifyEnd(forNoKeyUpdateSkipLocked(tx, 'event_pages'))
      .execute()
    if (pages.length === 0) return 0
    const receivers = await enabledReceivers(tx, organizationId)
    const rows: NewDelivery[] = []
    const done: string[] = []
    for (const { id, events } of pages) {
      if (rows.length >= rowsPerTransaction) break
      const page = { organizationId, id, events: JSON.parse(events) as StoredEvent[] }
      for (const receiver of receivers) rows.push(...deliveriesOf(page, receiver, nowMs))
      done.push(id)
    }
    await insertRows(tx, 'webhook_deliveries', { rows })
    await tx.kysely
      .updateTable('event_pages')
      .set({ fanned_out: 1 })
      .where('organization_id', '=', organizationId)
      .where('id', 'in', done)
      .modifyEnd(tag('jobs.fanOut'))
      .execute()
    return done.length
  })
}

/**
 * Returns the enabled webhooks. They cannot be deleted before the deliveries that refer to them
 * exist.
 */
async function enabledReceivers(tx: Database, organizationId: string): Promise<Receiver[]> {
  const rows = await tx.kysely
    .selectFrom('webhooks')
    .select(['id', 'events', 'batch'])
    .where('organization_id', '=', organizationId)
    .where('status', '=', 'ENABLED')
    .orderBy('id')
    .modifyEnd(forKeyShare(tx))
    .execute()
  return rows.map(({ id, events, batch }) => ({
    id,
    taken: new Set(JSON.parse(events) as string[]),
    batch: batch === 1,
  }))
}

/**
 * Returns one delivery for each event. If the webhook wants scans together, one delivery has up to
 * `limits.webhookBatchMax` of them.
 */
function deliveriesOf(
  { organizationId, id, events }: { organizationId: string; id: string; events: readonly StoredEvent[] },
  { id: webhookId, taken, batch }: Receiver,
  nowMs: number,
): NewDelivery[] {
  const rows: (NewDelivery & { event_count: number })[] = []
  for (const [place, { event }] of events.entries()) {
    if (!takes(taken, event)) continue
    const last = rows.at(-1)
    const joins =
      batch &&
      event === 'qr.scanned' &&
      last?.event === event &&
      last.first_event + last.event_count === place &&
      last.event_count < limits.webhookBatchMax
    if (joins) last.event_count++
    else
      rows.push({
        organization_id: organizationId,
        id: createId('dlv'),
        webhook_id: webhookId,
        page_id: id,
        first_event: place,
        event_count: 1,
        event,
        ...untried,
        run_at_ms: nowMs,
        created_at_ms: nowMs,
      })
  }
  return rows
}
