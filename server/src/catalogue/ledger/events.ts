import type { EventName } from '@everscan/contract/resources/events.ts'
import type { Scan } from '@everscan/contract/resources/scans.ts'
import type { Database } from '../../db/database.ts'
import { insertEvents, takes, wantedEvents, type StoredEvent } from '../../db/feeds/event-pages.ts'
import type { CopyRow } from '../rows/copy-row.ts'
import type { DomainRow } from '../rows/domain-row.ts'
import type { ImportJobRow } from '../rows/import-row.ts'
import type { MoveOutcome } from '../rows/import-row.ts'
import type { MemberRow } from '../rows/member-row.ts'
import type { QrCodeRow } from '../rows/qr-code-row.ts'
import type { WebhookRow } from '../rows/webhook-row.ts'

/** The data of each kind of event. */
export type EventData = {
  'qr.created': QrCodeRow
  'qr.updated': QrCodeRow
  'qr.deleted': QrCodeRow
  'qr.archived': QrCodeRow
  'qr.restored': QrCodeRow
  'qr.opened': QrCodeRow
  'qr.ended': QrCodeRow
  'qr.full': QrCodeRow
  'qr.scanned': Scan
  'import.completed': ImportJobRow
  'import.failed': ImportJobRow
  'move.completed': MoveOutcome
  'move.failed': MoveOutcome
  'member.joined': MemberRow
  'member.left': MemberRow
  'member.role_changed': MemberRow
  'copy.failed': CopyRow
  'domain.certificate_failing': DomainRow
  'webhook.ping': WebhookRow
}

/** An event before it is stored in the outbox. */
export type NewEvent = {
  [Name in EventName]: { event: Name; atMs: number; qrCodeId?: string; data: EventData[Name] }
}[EventName]

/**
 * Records events of an organization, in the transaction of the change. Stores only events that a
 * webhook or a recent reader of the live stream takes. An organization without either costs one
 * lookup in two indexes.
 */
export async function recordEvents(
  tx: Database,
  organizationId: string,
  { events, nowMs }: { events: () => readonly NewEvent[]; nowMs: number },
): Promise<void> {
  const subscriptions = (await wantedEvents(tx, [organizationId], nowMs)).get(organizationId)
  if (subscriptions === undefined) return
  const taken = events()
    .filter(({ event }) => takes(subscriptions, event))
    .map(storedEvent)
  if (taken.length > 0) await insertEvents(tx, organizationId, { events: taken, nowMs })
}

export function storedEvent({ event, atMs, qrCodeId, data }: NewEvent): StoredEvent {
  return { event, atMs, qrCodeId: qrCodeId ?? null, data }
}
