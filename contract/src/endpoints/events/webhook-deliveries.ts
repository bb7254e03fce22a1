import { RecordParams } from '../../schema/common.ts'
import {
  WebhookDelivery,
  ListWebhookDeliveriesQuery,
  WebhookDeliveryPage,
  WebhookDeliveryParams,
} from '../../resources/webhooks.ts'
import { limits } from '../../schema/limits.ts'
import { endpoint } from '../endpoint.ts'

const tag = 'Webhooks'
const webhook = '/organizations/:orgId/webhooks/:id'

export const webhookDeliveries = {
  ping: endpoint({
    id: 'pingWebhook',
    call: 'webhooks.ping',
    method: 'POST',
    repeatable: true,
    path: `${webhook}/ping`,
    role: 'ADMIN',
    scope: 'admin',
    tag,
    summary: 'Send a `webhook.ping` to a webhook, regardless of its events.',
    description:
      'It is sent in the background; the list of deliveries has the result. 409 if the webhook is disabled.',
    params: RecordParams,
    status: 200,
    response: WebhookDelivery,
    errors: [409],
  }),

  list: endpoint({
    id: 'listWebhookDeliveries',
    call: 'webhooks.deliveries',
    method: 'GET',
    path: `${webhook}/deliveries`,
    role: 'ADMIN',
    scope: 'admin',
    tag,
    summary: 'List the deliveries to a webhook with their results, newest first.',
    description: `Deliveries are kept for ${limits.webhookDeliveryDays} days, at most the newest ${limits.webhookDeliveriesMax} per webhook.`,
    params: RecordParams,
    query: ListWebhookDeliveriesQuery,
    status: 200,
    response: WebhookDeliveryPage,
  }),

  replay: endpoint({
    id: 'replayWebhookDelivery',
    call: 'webhooks.replay',
    method: 'POST',
    repeatable: true,
    path: `${webhook}/deliveries/:deliveryId/replay`,
    role: 'ADMIN',
    scope: 'admin',
    tag,
    summary: 'Send a delivery again.',
    description: 'Creates a new delivery with the same `webhook-id`. 409 if the webhook is disabled.',
    params: WebhookDeliveryParams,
    status: 200,
    response: WebhookDelivery,
    errors: [409],
  }),
}
