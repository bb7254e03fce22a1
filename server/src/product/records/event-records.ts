import type { Event } from '@everscan/contract/resources/events.ts'
import type { EventData } from '../../catalogue/ledger/events.ts'
import type { StoredEvent } from '../../db/feeds/event-pages.ts'
import { copyRecord } from './copy-records.ts'
import { domainRecord } from './domain-records.ts'
import { importSummary } from './import-records.ts'
import { moveSummary } from './move-records.ts'
import { memberRecord } from './member-records.ts'
import { qrCodeRecord } from './qr-code-records.ts'
import { timestamp } from './timestamps.ts'
import { webhookRecord } from './webhook-records.ts'

type Stored = { [Name in keyof EventData]: { event: Name; data: EventData[Name] } }[keyof EventData]

/**
 * An event as webhooks and the live stream send it. Its data is the same record that a GET returns.
 */
export function eventRecord(
  { event, atMs, data }: StoredEvent,
  { id, organizationId }: { id: string; organizationId: string },
  publicUrl: string,
): Event {
  const stored = { event, data } as Stored
  const about = { publicUrl, atMs }
  return { id, event, createdAt: timestamp(atMs), organizationId, data: dataOf(stored, about) }
}

function dataOf(
  stored: Stored,
  { publicUrl, atMs }: { publicUrl: string; atMs: number },
): Record<string, unknown> {
  switch (stored.event) {
    case 'qr.created':
    case 'qr.updated':
    case 'qr.deleted':
    case 'qr.archived':
    case 'qr.restored':
    case 'qr.opened':
    case 'qr.ended':
    case 'qr.full':
      return qrCodeRecord(stored.data, publicUrl, atMs)
    case 'qr.scanned':
      return stored.data
    case 'import.completed':
    case 'import.failed':
      return importSummary(stored.data)
    case 'move.completed':
    case 'move.failed':
      return moveSummary(stored.data)
    case 'member.joined':
    case 'member.left':
    case 'member.role_changed':
      return memberRecord(stored.data)
    case 'copy.failed':
      return copyRecord(stored.data)
    case 'domain.certificate_failing':
      // Only a service with https of its own orders certificates.
      return domainRecord(stored.data, { publicUrl, httpsPort: 443 })
    case 'webhook.ping':
      return webhookRecord(stored.data)
    default:
      return stored satisfies never
  }
}
