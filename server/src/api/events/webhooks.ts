import type { FieldProblem } from '@everscan/contract/problems/problem.ts'
import { webhooks } from '@everscan/contract/endpoints/events/webhooks.ts'
import { paginationOf } from '@everscan/contract/schema/pages.ts'
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
import { Answer, handler } from '../http/handler.ts'
import type { ApiContext } from '../http/api-context.ts'
import { pageOf } from '../http/pages.ts'
import { notFound, validationError } from '../../request-errors.ts'
import { webhookRecord } from '../../product/records/webhook-records.ts'

export const create = handler(webhooks.create, {
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

export const list = handler(webhooks.list, {
  handle: async ({ db }, _caller, { params, query }) => {
    const page = pageOf(query)
    const { rows, total } = await listWebhooks(db, params.orgId, page)
    return { data: rows.map(webhookRecord), pagination: paginationOf(total, page) }
  },
})

export const read = handler(webhooks.read, {
  handle: async ({ db }, _caller, { params }) =>
    webhookRecord(requireFound(await readWebhook(db, { organizationId: params.orgId, id: params.id }))),
})

export const update = handler(webhooks.update, {
  handle: async ({ db, config, clock }, { origin }, { params, body }) => {
    requireValid(body, config)
    const key = { organizationId: params.orgId, id: params.id }
    const events = body.events && [...new Set<string>(body.events)]
    return webhookRecord(
      requireFound(await updateWebhook(db, key, { ...body, events, origin, nowMs: clock() })),
    )
  },
})

export const rotateSecret = handler(webhooks.rotateSecret, {
  handle: async ({ db, box, clock }, { origin }, { params }) => {
    const secret = createWebhookSecret()
    const key = { organizationId: params.orgId, id: params.id }
    const row = requireFound(await rotateWebhookSecret(db, key, { secret, box, origin, nowMs: clock() }))
    return { ...webhookRecord(row), secret }
  },
})

export const remove = handler(webhooks.remove, {
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
  const details: FieldProblem[] = []
  const urlProblem = url === undefined ? undefined : webhookUrlProblem(url, { allowPrivate })
  if (urlProblem !== undefined) details.push({ path: 'url', ...urlProblem })
  const secretProblem = secret === undefined ? undefined : webhookSecretProblem(secret)
  if (secretProblem !== undefined) details.push({ path: 'secret', ...secretProblem })
  if (details.length > 0) throw validationError(details)
}

function requireFound(row: WebhookRow | undefined): WebhookRow {
  if (row === undefined) throw notFound()
  return row
}
