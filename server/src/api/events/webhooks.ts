import { Deleted, OrganizationParams, RecordParams } from '@everscan/contract/schema/common.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import { PageQuery, paginationOf } from '@everscan/contract/schema/pages.ts'
import {
  CreateWebhook,
  UpdateWebhook,
  Webhook,
  webhookFailuresMax,
  WebhookPage,
  WebhookWithSecret,
} from '@everscan/contract/resources/webhooks.ts'
import { webhookUrlProblem } from '../../catalogue/webhooks/addresses.ts'
import { createWebhookSecret, webhookSecretProblem } from '../../catalogue/webhooks/secrets.ts'
import {
  createWebhook,
  deleteWebhook,
  listWebhooks,
  readWebhook,
  rotateWebhookSecret,
  updateWebhook,
} from '../../catalogue/webhooks/webhooks.ts'
import type { WebhookRow } from '../../catalogue/rows/webhook-row.ts'
import type { ProblemDetail } from '../../errors.ts'
import { Answer, endpoint } from '../http/endpoint.ts'
import type { ApiContext } from '../http/api-context.ts'
import { pageOf } from '../http/pages.ts'
import { notFound, validationError } from '../../request-errors.ts'
import { webhookRecord } from '../../product/records/webhook-records.ts'

const tag = 'Webhooks'
const collection = '/organizations/:orgId/webhooks'
const one = `${collection}/:id` as const

export const create = endpoint({
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
  responseHeaders: { Location: 'URL of the record.' },
  errors: [409],
  handle: async ({ db, box, config, clock }, { origin }, { params, body }) => {
    const { secret = createWebhookSecret(), url, events, description = '', batch = false } = body
    requireValid({ url, secret }, config)
    const draft = {
      url,
      events: [...new Set(events)],
      description,
      batch,
      secret,
      box,
      origin,
      nowMs: clock(),
    }
    const row = await createWebhook(db, params.orgId, draft)
    const location = `/api/v1/organizations/${row.organizationId}/webhooks/${row.id}`
    return new Answer({ ...webhookRecord(row), secret }, { location })
  },
})

export const list = endpoint({
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
  handle: async ({ db }, _caller, { params, query }) => {
    const page = pageOf(query)
    const { rows, total } = await listWebhooks(db, params.orgId, page)
    return { data: rows.map(webhookRecord), pagination: paginationOf(total, page) }
  },
})

export const read = endpoint({
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
  handle: async ({ db }, _caller, { params }) =>
    webhookRecord(requireFound(await readWebhook(db, { organizationId: params.orgId, id: params.id }))),
})

export const put = endpoint({
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
  handle: async ({ db, config, clock }, { origin }, { params, body }) => {
    requireValid(body, config)
    const key = { organizationId: params.orgId, id: params.id }
    const events = body.events && [...new Set<string>(body.events)]
    return webhookRecord(
      requireFound(await updateWebhook(db, key, { ...body, events, origin, nowMs: clock() })),
    )
  },
})

export const rotateSecret = endpoint({
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
  handle: async ({ db, box, clock }, { origin }, { params }) => {
    const secret = createWebhookSecret()
    const key = { organizationId: params.orgId, id: params.id }
    const row = requireFound(await rotateWebhookSecret(db, key, { secret, box, origin, nowMs: clock() }))
    return { ...webhookRecord(row), secret }
  },
})

export const remove = endpoint({
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
  handle: async ({ db, clock }, { origin }, { params }) => {
    const key = { organizationId: params.orgId, id: params.id }
    const { id } = requireFound(await deleteWebhook(db, key, { origin, nowMs: clock() }))
    return { id, deleted: true as const }
  },
})

/** Throws ApiError 400 for rules that the schemas cannot express. */
function requireValid(
  { url, secret }: { url?: string | undefined; secret?: string | undefined },
  { webhookAllowPrivate: allowPrivate }: Pick<ApiContext['config'], 'webhookAllowPrivate'>,
): void {
  const details: ProblemDetail[] = []
  const urlProblem = url === undefined ? undefined : webhookUrlProblem(url, { allowPrivate })
  if (urlProblem !== undefined) details.push({ path: 'url', ...urlProblem })
  const secretProblem = secret === undefined ? undefined : webhookSecretProblem(secret)
  if (secretProblem !== undefined) details.push({ path: 'secret', message: secretProblem })
  if (details.length > 0) throw validationError(details)
}

function requireFound(row: WebhookRow | undefined): WebhookRow {
  if (row === undefined) throw notFound()
  return row
}
