import type { EventName } from '@everscan/contract/resources/events.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import { sql, type RawBuilder, type SqlBool } from 'kysely'
import { createEventPrefix, eventId, eventPageId } from '../../ids.ts'
import { tag, type Database } from '../database.ts'
import { insertRows, isOneOf } from '../dialects/row-sets.ts'

/**
 * A stored event. `data` is a row of the catalogue, which sending converts to the record of the
 * API.
 */
export type StoredEvent = {
  event: EventName
  atMs: number
  /** The code that the event is about. */
  qrCodeId: string | null
  data: unknown
}

/** Up to 100 events of one transaction and organization, in order. */
export type EventPage = { organizationId: string; id: string; version: string; events: StoredEvent[] }

/** A reader's position in the single order of all pages: after this page. */
export type EventPosition = {
  /** Decimal, because PostgreSQL's versions have 64 bits. */
  version: string
  pageId: string
}

export const firstPosition: EventPosition = { version: '0', pageId: '' }

const eventsPerPage = 100
/** The style of a code may contain a logo of a megabyte. */
const pageCharsMax = 256 * 1024

/**
 * Returns the events that organizations subscribe to: names, or `*`. Omits organizations without
 * subscriptions.
 */
export async function wantedEvents(
  db: Database,
  organizationIds: readonly string[],
  nowMs: number,
): Promise<Map<string, ReadonlySet<string>>> {
  const { rows } = await sql<{ organizationId: string; events: string }>`/* db.wantedEvents */
    select organization_id as "organizationId", events from webhooks
    where ${isOneOf(db, 'organization_id', organizationIds)} and status = 'ENABLED'
    union all
    select organization_id as "organizationId", '["*"]' as events from event_readers
    where ${isOneOf(db, 'organization_id', organizationIds)} and until_ms > ${nowMs}`.execute(db.kysely)
  const subscriptions = new Map<string, Set<string>>()
  for (const { organizationId, events } of rows) {
    const names = subscriptions.get(organizationId) ?? new Set()
    for (const name of JSON.parse(events) as string[]) names.add(name)
    subscriptions.set(organizationId, names)
  }
  return subscriptions
}

/** Whether an organization or a webhook subscribes to an event. */
export function takes(subscriptions: ReadonlySet<string> | undefined, event: string): boolean {
  return subscriptions !== undefined && (subscriptions.has('*') || subscriptions.has(event))
}

/**
 * Stores events of an organization in the transaction of their cause, and returns the ids of their
 * pages. Equal seeds produce equal ids. `fannedOut`: no webhook gets the events, except through
 * deliveries that the caller creates.
 */
export async function insertEvents(
  tx: Database,
  organizationId: string,
  {
    events,
    seed,
    fannedOut = false,
    nowMs,
  }: { events: readonly StoredEvent[]; seed?: string; fannedOut?: boolean; nowMs: number },
): Promise<string[]> {
  if (!tx.kysely.isTransaction) throw new Error('an event belongs to the transaction of its change')
  const prefix = createEventPrefix(seed === undefined ? nowMs : (events.at(-1)?.atMs ?? nowMs), seed)
  const rows = pagesOf(events).map((page, number) => ({
    organization_id: organizationId,
    id: eventPageId(prefix, number),
    events: page,
    fanned_out: fannedOut ? (1 as const) : (0 as const),
    created_at_ms: nowMs,
  }))
  await insertRows<'event_pages', 'version'>(tx, 'event_pages', {
    rows,
    computed: { version: versionOf(tx) },
  })
  return rows.map(({ id }) => id)
}

/** Returns the JSON of each page. */
function pagesOf(events: readonly StoredEvent[]): string[] {
  const pages: string[] = []
  let page: string[] = []
  let chars = 0
  const end = (): void => {
    if (page.length > 0) pages.push(`[${page.join(',')}]`)
    page = []
    chars = 0
  }
  for (const event of events) {
    const text = JSON.stringify(event)
    if (page.length === eventsPerPage || chars + text.length > pageCharsMax) end()
    page.push(text)
    chars += text.length
  }
  end()
  return pages
}

/** See changes.ts. On SQLite the newest page is never deleted, so numbers only grow. */
function versionOf(tx: Database): RawBuilder<unknown> {
  return tx.dialect === 'sqlite'
    ? sql`(select coalesce(max(version), 0) + 1 from event_pages)`
    : sql`pg_current_xact_id()`
}

/**
 * Returns the position before all uncommitted pages. Transactions of PostgreSQL commit out of
 * order: pages are complete only before the oldest running transaction. Up to there, every reader
 * gets the same order, and a reader can continue after any event.
 * https://www.postgresql.org/docs/current/functions-info.html#FUNCTIONS-INFO-SNAPSHOT
 */
export async function settledPosition(db: Database): Promise<EventPosition> {
  const { rows } =
    db.dialect === 'sqlite'
      ? await sql<{ version: string }>`/* db.settledPosition */
          select cast(coalesce(max(version), 0) + 1 as text) as version from event_pages`.execute(db.kysely)
      : await sql<{ version: string }>`/* db.settledPosition */
          select pg_snapshot_xmin(pg_current_snapshot())::text as version`.execute(db.kysely)
  return { version: rows[0]?.version ?? '0', pageId: '' }
}

/**
 * Returns pages of these organizations after one position and before another, in order, and not
 * older than `sinceMs`.
 */
export async function readEventPages(
  db: Database,
  organizationIds: readonly string[],
  {
    after,
    before,
    sinceMs,
    limit,
  }: { after: EventPosition; before: EventPosition; sinceMs: number; limit: number },
): Promise<EventPage[]> {
  const rows = await db.kysely
    .selectFrom('event_pages')
    .select(['organization_id as organizationId', 'id', 'events'])
    .select(sql<string>`cast(version as text)`.as('version'))
    .where(isOneOf(db, 'organization_id', organizationIds))
    .where(sql<SqlBool>`(version, id) > (${versionValue(db, after.version)}, ${after.pageId})`)
    .where(sql<SqlBool>`version < ${versionValue(db, before.version)}`)
    .where('created_at_ms', '>=', sinceMs)
    .orderBy('event_pages.version')
    .orderBy('id')
    .limit(limit)
    .modifyEnd(tag('db.readEventPages'))
    .execute()
  return rows.map((row) => ({ ...row, events: JSON.parse(row.events) }))
}

/** Returns a page by its id, or undefined if it is not stored or is older than `sinceMs`. */
export async function readEventPage(
  db: Database,
  { organizationId, id }: { organizationId: string; id: string },
  { sinceMs = 0 }: { sinceMs?: number } = {},
): Promise<EventPage | undefined> {
  const row = await db.kysely
    .selectFrom('event_pages')
    .select(['organization_id as organizationId', 'id', 'events'])
    .select(sql<string>`cast(version as text)`.as('version'))
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .where('created_at_ms', '>=', sinceMs)
    .modifyEnd(tag('db.readEventPage'))
    .executeTakeFirst()
  return row && { ...row, events: JSON.parse(row.events) }
}

/**
 * Returns the id of an organization's last event before a position, or undefined if none is stored.
 */
export async function lastEventIdBefore(
  db: Database,
  organizationId: string,
  before: EventPosition,
): Promise<string | undefined> {
  const row = await db.kysely
    .selectFrom('event_pages')
    .select(['id', 'events'])
    .where('organization_id', '=', organizationId)
    .where(sql<SqlBool>`version < ${versionValue(db, before.version)}`)
    .orderBy('event_pages.version', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .modifyEnd(tag('db.lastEventIdBefore'))
    .executeTakeFirst()
  return row && eventId(row.id, (JSON.parse(row.events) as unknown[]).length - 1)
}

/**
 * Stores the events of organizations until this time: a client reads their stream and may
 * reconnect.
 */
export async function keepEvents(
  db: Database,
  organizationIds: readonly string[],
  untilMs: number,
): Promise<void> {
  for (const organizationId of organizationIds)
    await db.kysely
      .insertInto('event_readers')
      .values({ organization_id: organizationId, until_ms: untilMs })
      .onConflict((conflict) => conflict.column('organization_id').doUpdateSet({ until_ms: untilMs }))
      .modifyEnd(tag('db.keepEvents'))
      .execute()
}

/** Deletes a batch of expired pages and returns their number. Call it until it returns 0. */
export async function deleteOldPages(db: Database, nowMs: number): Promise<number> {
  const oldMs = nowMs - limits.eventHours * 3_600_000
  const { numAffectedRows } = await sql`/* db.deleteOldPages */
    delete from event_pages
    where (organization_id, id) in (
      select organization_id, id
      from event_pages as p
      where created_at_ms < ${oldMs}
      and fanned_out = 1
      and version < (select max(version) from event_pages)
      and not exists (
        select 1 from webhook_deliveries as d
        where d.organization_id = p.organization_id and d.page_id = p.id)
      limit 1000)`.execute(db.kysely)
  return Number(numAffectedRows ?? 0n)
}

function versionValue(db: Database, version: string): RawBuilder<unknown> {
  return db.dialect === 'sqlite' ? sql`cast(${version} as integer)` : sql`${version}::xid8`
}
