import { RecordParams } from '@everscan/contract/schema/common.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import { paginationOf } from '@everscan/contract/schema/pages.ts'
import {
  ListWebhookDeliveriesQuery,
  WebhookDelivery,
  WebhookDeliveryPage,
  WebhookDeliveryParams,
} from '@everscan/contract/resources/webhooks.ts'
import { listDeliveries, pingWebhook, replayDelivery } from '../../catalogue/webhooks/deliveries.ts'
import { endpoint } from '../http/endpoint.ts'
import { pageOf } from '../http/pages.ts'
import { notFound } from '../../request-errors.ts'
import { deliveryRecord } from '../../product/records/webhook-records.ts'

const tag = 'Webhooks'
const webhook = '/organizations/:orgId/webhooks/:id'

export const ping = endpoint({
  id: 'pingWebhook',
  method: 'POST',
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
  handle: async ({ db, clock }, _caller, { params }) => {
    const row = await pingWebhook(db, { organizationId: params.orgId, id: params.id }, clock())
    if (row === undefined) throw notFound()
    return deliveryRecord(row)
  },
})

export const list = endpoint({
  id: 'listWebhookDeliveries',
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
  handle: async ({ db }, _caller, { params, query }) => {
    const page = pageOf(query)
    const { status, event } = query
    const key = { organizationId: params.orgId, id: params.id }
    const found = await listDeliveries(db, key, { ...page, status, event })
    if (found === undefined) throw notFound()
    return { data: found.rows.map(deliveryRecord), pagination: paginationOf(found.total, page) }
  },
})

export const replay = endpoint({
  id: 'replayWebhookDelivery',
  method: 'POST',
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
  handle: async ({ db, clock }, _caller, { params }) => {
    const key = { organizationId: params.orgId, id: params.id }
    const row = await replayDelivery(db, key, { deliveryId: params.deliveryId, nowMs: clock() })
    if (row === undefined) throw notFound()
    return deliveryRecord(row)
  },
})
