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

/** Webhooks of an organization. The calls need a key with role ADMIN. */
export type Webhooks = ReturnType<typeof webhookCalls>

export function webhookCalls(send: Send) {
  return {
    /** Creates a webhook that receives events at an address. `secret` is shown only this once. */
    async create(orgId: string, body: CreateWebhook, options?: CallOptions): Promise<WebhookWithSecret> {
      const path = pathOf`/organizations/${orgId}/webhooks`
      return readJson(await send({ method: 'POST', path, body, idempotent: false, options }))
    },

    /** Returns a page of webhooks, newest first. */
    async list(orgId: string, query: PageQuery = {}, options?: CallOptions): Promise<WebhookPage> {
      const path = pathOf`/organizations/${orgId}/webhooks`
      return readJson(await send({ method: 'GET', path, query, idempotent: true, options }))
    },

    /** Returns a webhook. */
    async read(orgId: string, id: string, options?: CallOptions): Promise<Webhook> {
      const path = pathOf`/organizations/${orgId}/webhooks/${id}`
      return readJson(await send({ method: 'GET', path, idempotent: true, options }))
    },

    /** Changes a webhook. `status: 'ENABLED'` enables a disabled webhook. */
    async update(orgId: string, id: string, body: UpdateWebhook, options?: CallOptions): Promise<Webhook> {
      const path = pathOf`/organizations/${orgId}/webhooks/${id}`
      return readJson(await send({ method: 'PUT', path, body, idempotent: true, options }))
    },

    /** Deletes a webhook and its deliveries. */
    async delete(orgId: string, id: string, options?: CallOptions): Promise<Deleted> {
      const path = pathOf`/organizations/${orgId}/webhooks/${id}`
      return readJson(await send({ method: 'DELETE', path, idempotent: true, options }))
    },

    /** Rotates the secret; the new one is shown this once. The old one also signs for 24 hours. */
    async rotateSecret(orgId: string, id: string, options?: CallOptions): Promise<WebhookWithSecret> {
      const path = pathOf`/organizations/${orgId}/webhooks/${id}/rotate-secret`
      return readJson(await send({ method: 'POST', path, idempotent: false, options }))
    },

    /** Sends a `webhook.ping` to a webhook. */
    async ping(orgId: string, id: string, options?: CallOptions): Promise<WebhookDelivery> {
      const path = pathOf`/organizations/${orgId}/webhooks/${id}/ping`
      return readJson(await send({ method: 'POST', path, idempotent: true, options }))
    },

    /** Returns a page of the deliveries to a webhook, newest first. */
    async deliveries(
      orgId: string,
      id: string,
      query: ListWebhookDeliveriesQuery = {},
      options?: CallOptions,
    ): Promise<WebhookDeliveryPage> {
      const path = pathOf`/organizations/${orgId}/webhooks/${id}/deliveries`
      return readJson(await send({ method: 'GET', path, query, idempotent: true, options }))
    },

    /** Sends a delivery again. */
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
