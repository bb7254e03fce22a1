import type { EventName } from '@everscan/contract/resources/events.ts'
import type { Webhook, WebhookDelivery } from '@everscan/contract/resources/webhooks.ts'
import type { DeliveryRow } from '../../catalogue/webhooks/deliveries.ts'
import type { WebhookRow } from '../../catalogue/rows/webhook-row.ts'
import { timestamp, timestampOrNull } from './timestamps.ts'

/** A webhook as the API returns it. */
export function webhookRecord({
  organizationId: _organizationId,
  events,
  lastDeliveryAtMs,
  createdAtMs,
  updatedAtMs,
  ...row
}: WebhookRow): Webhook {
  return {
    ...row,
    // A ping of an earlier release has none.
    problem: row.problem ?? null,
    values: row.values ?? null,
    events: events as (EventName | '*')[],
    lastDeliveryAt: timestampOrNull(lastDeliveryAtMs),
    createdAt: timestamp(createdAtMs),
    updatedAt: timestamp(updatedAtMs),
  }
}

export function deliveryRecord({
  organizationId: _organizationId,
  createdAtMs,
  nextAttemptAtMs,
  completedAtMs,
  ...row
}: DeliveryRow): WebhookDelivery {
  return {
    ...row,
    createdAt: timestamp(createdAtMs),
    nextAttemptAt: timestampOrNull(nextAttemptAtMs),
    completedAt: timestampOrNull(completedAtMs),
  }
}
