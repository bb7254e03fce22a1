import type { Deleted } from '@everscan/contract/schema/common.ts'
import type { PageQuery } from '@everscan/contract/schema/pages.ts'
import type {
  CreateWebhook,
  ListWebhookDeliveriesQuery,
  UpdateWebhook,
  Webhook,
  WebhookDelivery,
  WebhookDeliveryPage,
  WebhookPage,
  WebhookWithSecret,
} from '@everscan/contract/resources/webhooks.ts'
import { pathOf, readJson, type CallOptions, type Send } from './send.ts'

/** Webhooks of an organization; they need a key with role ADMIN. */
export type Webhooks = ReturnType<typeof webhookCalls>

export function webhookCalls(send: Send) {
  return {
    /** Has events sent to an address; `secret` is shown this once. */
    async create(orgId: string, body: CreateWebhook, options?: CallOptions): Promise<WebhookWithSecret> {
      const path = pathOf`/organizations/${orgId}/webhooks`
      return readJson(await send({ method: 'POST', path, body, idempotent: false, options }))
    },

    /** A page of webhooks, newest first. */
    async list(orgId: string, query: PageQuery = {}, options?: CallOptions): Promise<WebhookPage> {
      const path = pathOf`/organizations/${orgId}/webhooks`
      return readJson(await send({ method: 'GET', path, query, idempotent: true, options }))
    },

    /** One webhook. */
    async read(orgId: string, id: string, options?: CallOptions): Promise<Webhook> {
      const path = pathOf`/organizations/${orgId}/webhooks/${id}`
      return readJson(await send({ method: 'GET', path, idempotent: true, options }))
    },

    /** Changes a webhook; `status: 'ENABLED'` enables one that was disabled. */
    async update(orgId: string, id: string, body: UpdateWebhook, options?: CallOptions): Promise<Webhook> {
      const path = pathOf`/organizations/${orgId}/webhooks/${id}`
      return readJson(await send({ method: 'PUT', path, body, idempotent: true, options }))
    },

    /** Deletes a webhook and its deliveries. */
    async delete(orgId: string, id: string, options?: CallOptions): Promise<Deleted> {
      const path = pathOf`/organizations/${orgId}/webhooks/${id}`
      return readJson(await send({ method: 'DELETE', path, idempotent: true, options }))
    },

    /** Gives a webhook a new secret, shown this once; for 24 hours calls are signed with the old one too. */
    async rotateSecret(orgId: string, id: string, options?: CallOptions): Promise<WebhookWithSecret> {
      const path = pathOf`/organizations/${orgId}/webhooks/${id}/rotate-secret`
      return readJson(await send({ method: 'POST', path, idempotent: false, options }))
    },

    /** Sends a webhook a `webhook.ping`. */
    async ping(orgId: string, id: string, options?: CallOptions): Promise<WebhookDelivery> {
      const path = pathOf`/organizations/${orgId}/webhooks/${id}/ping`
      return readJson(await send({ method: 'POST', path, idempotent: true, options }))
    },

    /** A page of what was sent to a webhook, newest first. */
    async deliveries(
      orgId: string,
      id: string,
      query: ListWebhookDeliveriesQuery = {},
      options?: CallOptions,
    ): Promise<WebhookDeliveryPage> {
      const path = pathOf`/organizations/${orgId}/webhooks/${id}/deliveries`
      return readJson(await send({ method: 'GET', path, query, idempotent: true, options }))
    },

    /** Sends a delivery once more. */
    async replay(
      orgId: string,
      id: string,
      deliveryId: string,
      options?: CallOptions,
    ): Promise<WebhookDelivery> {
      const path = pathOf`/organizations/${orgId}/webhooks/${id}/deliveries/${deliveryId}/replay`
      return readJson(await send({ method: 'POST', path, idempotent: true, options }))
    },
  }
}
