import type { EventName } from '@everscan/contract/resources/events.ts'
import type { Scan } from '@everscan/contract/resources/scans.ts'
import type { Database } from '../../db/database.ts'
import { insertEvents, takes, wantedEvents, type StoredEvent } from '../../db/feeds/event-pages.ts'
import type { CopyRow } from '../organizations/copies.ts'
import type { ImportJobRow } from '../imports/imports.ts'
import type { MemberRow } from '../organizations/members.ts'
import { changedFields } from '../codes/qr-code-merging.ts'
import type { QrCodeRow } from '../codes/qr-code-rows.ts'
import type { WebhookRow } from '../webhooks/webhooks.ts'

/** What each kind of event keeps. */
export type EventData = {
  'qr.created': QrCodeRow
  'qr.updated': QrCodeRow
  'qr.deleted': QrCodeRow
  'qr.archived': QrCodeRow
  'qr.restored': QrCodeRow
  'qr.scanned': Scan
  'import.completed': ImportJobRow
  'import.failed': ImportJobRow
  'member.joined': MemberRow
  'member.left': MemberRow
  'member.role_changed': MemberRow
  'copy.failed': CopyRow
  'webhook.ping': WebhookRow
}

/** Something that happened, on its way into the outbox. */
export type NewEvent = {
  [Name in EventName]: { event: Name; atMs: number; qrCodeId?: string; data: EventData[Name] }
}[EventName]

/**
 * Writes down what happened in an organization, in the transaction in which it did. Only what somebody takes: who has no webhook and has not
 * read the live stream lately pays for one look at two indexes.
 */
export async function recordEvents(
  tx: Database,
  organizationId: string,
  { events, nowMs }: { events: () => readonly NewEvent[]; nowMs: number },
): Promise<void> {
  const wanted = (await wantedEvents(tx, [organizationId], nowMs)).get(organizationId)
  if (wanted === undefined) return
  const taken = events()
    .filter(({ event }) => takes(wanted, event))
    .map(storedEvent)
  if (taken.length > 0) await insertEvents(tx, organizationId, { events: taken, nowMs })
}

export function storedEvent({ event, atMs, qrCodeId, data }: NewEvent): StoredEvent {
  return { event, atMs, qrCodeId: qrCodeId ?? null, data }
}

/** What became of a code, as events: a change that archives a code and renames it is two. */
export function qrCodeEvents({
  before,
  after,
  nowMs,
}: {
  before?: QrCodeRow | undefined
  after?: QrCodeRow | undefined
  nowMs: number
}): NewEvent[] {
  const code = after ?? before
  if (code === undefined) return []
  const common = { atMs: nowMs, qrCodeId: code.id, data: code }
  if (before === undefined) return [{ event: 'qr.created', ...common }]
  if (after === undefined) return [{ event: 'qr.deleted', ...common }]
  const fields: readonly string[] = changedFields(before, after)
  const events: NewEvent[] = []
  if (fields.some((field) => field !== 'status')) events.push({ event: 'qr.updated', ...common })
  if (fields.includes('status'))
    events.push({ event: after.status === 'ARCHIVED' ? 'qr.archived' : 'qr.restored', ...common })
  return events
}
