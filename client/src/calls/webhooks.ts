// `npm run generate` writes this file from the table of endpoints.
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
import type { PageQuery } from '@everscan/contract/schema/pages.ts'
import type { Deleted } from '@everscan/contract/schema/common.ts'
import type { Service } from '../calling.ts'
import { iterate } from '../iterate.ts'
import { pathOf, readJson, type CallOptions } from '../send.ts'

export function webhooksOf({ send }: Service) {
  const calls = {
    /**
     * Create a webhook, which sends events to a URL. Only this response contains the secret. An
     * organization has at most 20 webhooks.
     */
    async create(orgId: string, body: CreateWebhook, options?: CallOptions): Promise<WebhookWithSecret> {
      const path = pathOf`/organizations/${orgId}/webhooks`
      return readJson(await send({ method: 'POST', path, body, idempotent: false, options }))
    },

    /** List the webhooks of the organization, newest first. */
    async list(orgId: string, query: PageQuery = {}, options?: CallOptions): Promise<WebhookPage> {
      const path = pathOf`/organizations/${orgId}/webhooks`
      return readJson(await send({ method: 'GET', path, query, idempotent: true, options }))
    },

    /**
     * Yields every record of the list, page by page. If records are deleted meanwhile, it may skip
     * others: collect them first, then delete.
     */
    iterate(orgId: string, options?: CallOptions): AsyncGenerator<Webhook, void, undefined> {
      return iterate(({ page, limit }) => calls.list(orgId, { limit, page }, options))
    },

    /** Read a webhook. */
    async read(orgId: string, id: string, options?: CallOptions): Promise<Webhook> {
      const path = pathOf`/organizations/${orgId}/webhooks/${id}`
      return readJson(await send({ method: 'GET', path, idempotent: true, options }))
    },

    /**
     * Update a webhook. Partial. A webhook that was disabled, after a 410 or 20 consecutive
     * failures, receives its pending deliveries once its status is ENABLED again; events that
     * happened meanwhile are not sent.
     */
    async update(orgId: string, id: string, body: UpdateWebhook, options?: CallOptions): Promise<Webhook> {
      const path = pathOf`/organizations/${orgId}/webhooks/${id}`
      return readJson(await send({ method: 'PUT', path, body, idempotent: true, options }))
    },

    /** Delete a webhook and its deliveries. */
    async delete(orgId: string, id: string, options?: CallOptions): Promise<Deleted> {
      const path = pathOf`/organizations/${orgId}/webhooks/${id}`
      return readJson(await send({ method: 'DELETE', path, idempotent: true, options }))
    },

    /**
     * Replace the secret of a webhook. Only this response contains the new secret. For 24 hours
     * calls are signed with the old secret too.
     */
    async rotateSecret(orgId: string, id: string, options?: CallOptions): Promise<WebhookWithSecret> {
      const path = pathOf`/organizations/${orgId}/webhooks/${id}/rotate-secret`
      return readJson(await send({ method: 'POST', path, idempotent: false, options }))
    },

    /**
     * Send a `webhook.ping` to a webhook, regardless of its events. It is sent in the background;
     * the list of deliveries has the result. 409 if the webhook is disabled.
     */
    async ping(orgId: string, id: string, options?: CallOptions): Promise<WebhookDelivery> {
      const path = pathOf`/organizations/${orgId}/webhooks/${id}/ping`
      return readJson(await send({ method: 'POST', path, idempotent: true, options }))
    },

    /**
     * List the deliveries to a webhook with their results, newest first. Deliveries are kept for 30
     * days, at most the newest 100000 per webhook.
     */
    async deliveries(
      orgId: string,
      id: string,
      query: ListWebhookDeliveriesQuery = {},
      options?: CallOptions,
    ): Promise<WebhookDeliveryPage> {
      const path = pathOf`/organizations/${orgId}/webhooks/${id}/deliveries`
      return readJson(await send({ method: 'GET', path, query, idempotent: true, options }))
    },

    /**
     * Send a delivery again. Creates a new delivery with the same `webhook-id`. 409 if the webhook
     * is disabled.
     */
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
  return calls
}
