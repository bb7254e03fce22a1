import { limits } from '../../schema/limits.ts'
import { OrganizationParams, RecordParams, Deleted } from '../../schema/common.ts'
import {
  CreateWebhook,
  WebhookWithSecret,
  WebhookPage,
  Webhook,
  webhookFailuresMax,
  UpdateWebhook,
} from '../../resources/webhooks.ts'
import { PageQuery } from '../../schema/pages.ts'
import { endpoint } from '../endpoint.ts'
import { location } from '../headers.ts'

const tag = 'Webhooks'
const collection = '/organizations/:orgId/webhooks'
const one = `${collection}/:id` as const

export const webhooks = {
  create: endpoint({
    id: 'createWebhook',
    method: 'POST',
    path: collection,
    role: 'ADMIN',
    scope: 'admin',
    tag,
    summary: 'Create a webhook, which sends events to a URL.',
    description: `Only this response contains the secret. An organization has at most ${limits.webhooksMax} webhooks.`,
    params: OrganizationParams,
    body: CreateWebhook,
    status: 201,
    response: WebhookWithSecret,
    responseHeaders: location,
    errors: [409],
  }),

  list: endpoint({
    id: 'listWebhooks',
    method: 'GET',
    path: collection,
    role: 'ADMIN',
    scope: 'admin',
    tag,
    summary: 'List the webhooks of the organization, newest first.',
    params: OrganizationParams,
    query: PageQuery,
    status: 200,
    response: WebhookPage,
  }),

  read: endpoint({
    id: 'readWebhook',
    method: 'GET',
    path: one,
    role: 'ADMIN',
    scope: 'admin',
    tag,
    summary: 'Read a webhook.',
    params: RecordParams,
    status: 200,
    response: Webhook,
  }),

  update: endpoint({
    id: 'updateWebhook',
    method: 'PUT',
    path: one,
    role: 'ADMIN',
    scope: 'admin',
    tag,
    summary: 'Update a webhook.',
    description: `Partial. A webhook that was disabled, after a 410 or ${webhookFailuresMax} consecutive failures, receives its pending deliveries once its status is ENABLED again; events that happened meanwhile are not sent.`,
    params: RecordParams,
    body: UpdateWebhook,
    status: 200,
    response: Webhook,
  }),

  remove: endpoint({
    id: 'deleteWebhook',
    method: 'DELETE',
    path: one,
    role: 'ADMIN',
    scope: 'admin',
    tag,
    summary: 'Delete a webhook and its deliveries.',
    params: RecordParams,
    status: 200,
    response: Deleted,
  }),

  rotateSecret: endpoint({
    id: 'rotateWebhookSecret',
    method: 'POST',
    path: `${one}/rotate-secret`,
    role: 'ADMIN',
    scope: 'admin',
    tag,
    summary: 'Replace the secret of a webhook.',
    description: `Only this response contains the new secret. For ${limits.webhookRotationHours} hours calls are signed with the old secret too.`,
    params: RecordParams,
    status: 200,
    response: WebhookWithSecret,
  }),
}
