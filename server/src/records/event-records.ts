import type { Event } from '@everscan/contract/resources/events.ts'
import type { EventData } from '../catalogue/ledger/events.ts'
import type { StoredEvent } from '../db/feeds/event-pages.ts'
import { copyRecord } from './copy-records.ts'
import { importSummary } from './import-records.ts'
import { memberRecord } from './member-records.ts'
import { qrCodeRecord } from './qr-code-records.ts'
import { timestamp } from './timestamps.ts'
import { webhookRecord } from './webhook-records.ts'

type Kept = { [Name in keyof EventData]: { event: Name; data: EventData[Name] } }[keyof EventData]

/** An event as webhooks and the live stream send it: what it is about is the same record that a GET gives. */
export function eventRecord(
  { event, atMs, data }: StoredEvent,
  { id, organizationId }: { id: string; organizationId: string },
  publicUrl: string,
): Event {
  const kept = { event, data } as Kept
  return { id, event, createdAt: timestamp(atMs), organizationId, data: dataOf(kept, publicUrl) }
}

function dataOf(kept: Kept, publicUrl: string): Record<string, unknown> {
  switch (kept.event) {
    case 'qr.created':
    case 'qr.updated':
    case 'qr.deleted':
    case 'qr.archived':
    case 'qr.restored':
      return qrCodeRecord(kept.data, publicUrl)
    case 'qr.scanned':
      return kept.data
    case 'import.completed':
    case 'import.failed':
      return importSummary(kept.data)
    case 'member.joined':
    case 'member.left':
    case 'member.role_changed':
      return memberRecord(kept.data)
    case 'copy.failed':
      return copyRecord(kept.data)
    case 'webhook.ping':
      return webhookRecord(kept.data)
    default:
      return kept satisfies never
  }
}
