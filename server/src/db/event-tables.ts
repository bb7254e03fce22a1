import type { EventName } from '@everscan/contract/resources/events.ts'
import type { ColumnType, Generated } from 'kysely'

/** Webhooks, and the events that they and other readers wait for. */
export type EventTables = {
  webhooks: WebhooksTable
  event_readers: EventReadersTable
  event_pages: EventPagesTable
  webhook_deliveries: WebhookDeliveriesTable
}

type WebhooksTable = {
  organization_id: string
  id: string
  url: string
  /** JSON: names of events, or `*`. */
  events: string
  description: string
  /** 1: scans are delivered in batches. */
  batch: 0 | 1
  status: 'ENABLED' | 'DISABLED'
  disabled_reason: string | null
  /** JSON of the `Problem` that the reason tells. */
  disabled_problem: Generated<string | null>
  failures_in_a_row: number
  /** Sealed: see secret-box.ts. */
  secret: string
  previous_secret: string | null
  /** Until when the previous secret also signs. */
  previous_until_ms: number | null
  last_delivery_at_ms: number | null
  created_at_ms: number
  updated_at_ms: number
}

/**
 * Organizations whose live stream was read recently: their events are stored for clients that
 * reconnect.
 */
type EventReadersTable = {
  organization_id: string
  until_ms: number
}

/** Events of one transaction and organization, up to 100: see event-pages.ts. */
type EventPagesTable = {
  organization_id: string
  id: string
  /** The version of the transaction, as in `changes`; only event-pages.ts reads it. */
  version: ColumnType<number | string, number, number>
  /** JSON of StoredEvent[]. */
  events: string
  /** 1: deliveries exist for every webhook that takes any of the events. */
  fanned_out: 0 | 1
  created_at_ms: number
}

type WebhookDeliveriesTable = {
  organization_id: string
  id: string
  webhook_id: string
  page_id: string
  /** The events of the page in this delivery: the index of the first, from 0, and how many. */
  first_event: number
  event_count: number
  event: EventName
  status: 'PENDING' | 'SUCCEEDED' | 'FAILED'
  attempts: number
  /** When the next attempt is due. */
  run_at_ms: number
  /** See lease.ts. */
  lease_number: number
  lease_until_ms: number | null
  response_status: number | null
  response_body: string | null
  error: string | null
  /** JSON of the `Problem` that the error tells. */
  error_problem: Generated<string | null>
  duration_ms: number | null
  created_at_ms: number
  completed_at_ms: number | null
}
