import { webhookDeliveries } from '@everscan/contract/endpoints/events/webhook-deliveries.ts'
import { paginationOf } from '@everscan/contract/schema/pages.ts'
import { listDeliveries, pingWebhook, replayDelivery } from '../../catalogue/webhooks/deliveries.ts'
import { handler } from '../http/handler.ts'
import { pageOf } from '../http/pages.ts'
import { notFound } from '../../request-errors.ts'
import { deliveryRecord } from '../../product/records/webhook-records.ts'

export const ping = handler(webhookDeliveries.ping, {
  handle: async ({ db, clock }, _caller, { params }) => {
    const row = await pingWebhook(db, { organizationId: params.orgId, id: params.id }, clock())
    if (row === undefined) throw notFound()
    return deliveryRecord(row)
  },
})

export const list = handler(webhookDeliveries.list, {
  handle: async ({ db }, _caller, { params, query }) => {
    const page = pageOf(query)
    const { status, event } = query
    const key = { organizationId: params.orgId, id: params.id }
    const found = await listDeliveries(db, key, { ...page, status, event })
    if (found === undefined) throw notFound()
    return { data: found.rows.map(deliveryRecord), pagination: paginationOf(found.total, page) }
  },
})

export const replay = handler(webhookDeliveries.replay, {
  handle: async ({ db, clock }, _caller, { params }) => {
    const key = { organizationId: params.orgId, id: params.id }
    const row = await replayDelivery(db, key, { deliveryId: params.deliveryId, nowMs: clock() })
    if (row === undefined) throw notFound()
    return deliveryRecord(row)
  },
})
