import { problem } from '@everscan/contract/problems/problem.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import { inTransaction, forUpdate, lockName, tag, type Database } from '../../db/database.ts'
import { ApiError } from '../../errors.ts'
import { createId } from '../../ids.ts'
import { recordAudit } from '../ledger/audit-log.ts'
import type { ChangeOrigin } from '../rows/change-origins.ts'
import type { SecretBox } from '../../secret-box.ts'
import { namedProblem, storedProblem, type NamedProblem } from '../rows/named-problem.ts'
import type { WebhookRow, WebhookStatus } from '../rows/webhook-row.ts'

export type WebhookKey = { organizationId: string; id: string }

type Change = { origin: ChangeOrigin; nowMs: number }
type Secret = { secret: string; box: SecretBox }

const columns = [
  'organization_id as organizationId',
  'id',
  'url',
  'events',
  'description',
  'batch',
  'status',
  'disabled_reason as disabledReason',
  'disabled_problem as disabledProblem',
  'failures_in_a_row as failuresInARow',
  'last_delivery_at_ms as lastDeliveryAtMs',
  'created_at_ms as createdAtMs',
  'updated_at_ms as updatedAtMs',
] as const

/**
 * Creates an enabled webhook. Throws ApiError 409 CONFLICT if the organization already has
 * `limits.webhooksMax`.
 */
export async function createWebhook(
  db: Database,
  organizationId: string,
  {
    url,
    events,
    description,
    batch,
    secret,
    box,
    origin,
    nowMs,
  }: Change & Secret & Pick<WebhookRow, 'url' | 'events' | 'description' | 'batch'>,
): Promise<WebhookRow> {
  return inTransaction(db, async (tx) => {
    await lockName(tx, `webhooks ${organizationId}`)
    await requireRoom(tx, organizationId)
    const id = createId('whk')
    const row = await tx.kysely
      .insertInto('webhooks')
      .values({
        organization_id: organizationId,
        id,
        url,
        events: JSON.stringify(events),
        description,
        batch: batch ? 1 : 0,
        status: 'ENABLED',
        disabled_reason: null,
        failures_in_a_row: 0,
        secret: box.seal(secret, id),
        previous_secret: null,
        previous_until_ms: null,
        last_delivery_at_ms: null,
        created_at_ms: nowMs,
        updated_at_ms: nowMs,
      })
      .returning(columns)
      .modifyEnd(tag('catalogue.createWebhook'))
      .executeTakeFirstOrThrow()
    await recordAudit(tx, organizationId, [
      { action: 'webhook.create', target: targetOf({ id, url }), origin, nowMs },
    ])
    return webhookRow(row)
  })
}

/** Returns the webhook, or undefined if the organization has no such webhook. */
export async function readWebhook(
  db: Database,
  { organizationId, id }: WebhookKey,
): Promise<WebhookRow | undefined> {
  const row = await selectWebhook(db, { organizationId, id })
    .modifyEnd(tag('catalogue.readWebhook'))
    .executeTakeFirst()
  return row && webhookRow(row)
}

/** Returns a page of an organization's webhooks, newest first, and the total. */
export async function listWebhooks(
  db: Database,
  organizationId: string,
  { page, limit }: { page: number; limit: number },
): Promise<{ rows: WebhookRow[]; total: number }> {
  const webhooks = db.kysely.selectFrom('webhooks').where('organization_id', '=', organizationId)
  const rows = await webhooks
    .select(columns)
    .orderBy('created_at_ms', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset((page - 1) * limit)
    .modifyEnd(tag('catalogue.listWebhooks'))
    .execute()
  const { total } = await webhooks
    .select((select) => select.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return { rows: rows.map(webhookRow), total }
}

export type WebhookChanges = {
  url?: string | undefined
  events?: string[] | undefined
  description?: string | undefined
  batch?: boolean | undefined
  /** ENABLED also resets the count of failures. */
  status?: WebhookStatus | undefined
}

const disabledByHand = problem('webhookDisabledByHand')

/**
 * Changes the given fields of a webhook, or returns undefined if it does not exist. Deliveries
 * pending for a disabled webhook are sent once it is enabled again.
 */
export async function updateWebhook(
  db: Database,
  key: WebhookKey,
  { origin, nowMs, ...changes }: Change & WebhookChanges,
): Promise<WebhookRow | undefined> {
  return inTransaction(db, async (tx) => {
    const found = await selectWebhook(tx, key).modifyEnd(forUpdate(tx)).executeTakeFirst()
    if (found === undefined) return undefined
    const before = webhookRow(found)
    const fields = (['url', 'events', 'description', 'batch', 'status'] as const).filter(
      (field) => changes[field] !== undefined,
    )
    if (fields.length === 0) return before
    const {
      url = before.url,
      events = before.events,
      description = before.description,
      batch = before.batch,
      status = before.status,
    } = changes
    const disabled = disabledColumns(status, found)
    const failuresInARow = changes.status === 'ENABLED' ? 0 : before.failuresInARow
    await tx.kysely
      .updateTable('webhooks')
      .set({
        url,
        events: JSON.stringify(events),
        description,
        batch: batch ? 1 : 0,
        status,
        disabled_reason: disabled.disabledReason,
        disabled_problem: disabled.disabledProblem,
        failures_in_a_row: failuresInARow,
        updated_at_ms: nowMs,
      })
      .where('organization_id', '=', key.organizationId)
      .where('id', '=', key.id)
      .modifyEnd(tag('catalogue.updateWebhook'))
      .execute()
    const target = targetOf({ id: key.id, url })
    await recordAudit(tx, key.organizationId, [{ action: 'webhook.update', target, fields, origin, nowMs }])
    const { disabledReason, disabledProblem } = disabled
    return {
      ...before,
      url,
      events,
      description,
      batch,
      status,
      disabledReason,
      failuresInARow,
      ...namedProblem(disabledReason, disabledProblem),
      updatedAtMs: nowMs,
    }
  })
}

/** Why a webhook with a new status is disabled, as it is stored. An earlier reason stays. */
function disabledColumns(status: WebhookStatus, before: Disabled): Disabled {
  if (status === 'ENABLED') return { disabledReason: null, disabledProblem: null }
  const { disabledReason, disabledProblem } = before
  if (disabledReason !== null) return { disabledReason, disabledProblem }
  return { disabledReason: disabledByHand.message, disabledProblem: storedProblem(disabledByHand) }
}

/**
 * Sets a new secret, or returns undefined if the webhook does not exist. The old secret also signs
 * for `limits.webhookRotationHours`.
 */
export async function rotateWebhookSecret(
  db: Database,
  key: WebhookKey,
  { secret, box, origin, nowMs }: Change & Secret,
): Promise<WebhookRow | undefined> {
  return inTransaction(db, async (tx) => {
    const row = await tx.kysely
      .updateTable('webhooks')
      .set((set) => ({
        secret: box.seal(secret, key.id),
        previous_secret: set.ref('secret'),
        previous_until_ms: nowMs + limits.webhookRotationHours * 3_600_000,
        updated_at_ms: nowMs,
      }))
      .where('organization_id', '=', key.organizationId)
      .where('id', '=', key.id)
      .returning(columns)
      .modifyEnd(tag('catalogue.rotateWebhookSecret'))
      .executeTakeFirst()
    if (row === undefined) return undefined
    const change = { action: 'webhook.rotate-secret', target: targetOf(row), origin, nowMs } as const
    await recordAudit(tx, key.organizationId, [change])
    return webhookRow(row)
  })
}

/**
 * Deletes a webhook with its deliveries, or returns undefined if it does not exist. Pending
 * deliveries are never sent.
 */
export async function deleteWebhook(
  db: Database,
  key: WebhookKey,
  { origin, nowMs }: Change,
): Promise<WebhookRow | undefined> {
  return inTransaction(db, async (tx) => {
    const row = await tx.kysely
      .deleteFrom('webhooks')
      .where('organization_id', '=', key.organizationId)
      .where('id', '=', key.id)
      .returning(columns)
      .modifyEnd(tag('catalogue.deleteWebhook'))
      .executeTakeFirst()
    if (row === undefined) return undefined
    const change = { action: 'webhook.delete', target: targetOf(row), origin, nowMs } as const
    await recordAudit(tx, key.organizationId, [change])
    return webhookRow(row)
  })
}

/**
 * Returns how the audit log names a webhook: its URL without the query, which may contain secrets.
 */
export function targetOf({ id, url }: { id: string; url: string }): { id: string; name: string } {
  const { origin, pathname } = new URL(url)
  return { id, name: origin + pathname }
}

async function requireRoom(tx: Database, organizationId: string): Promise<void> {
  const { total } = await tx.kysely
    .selectFrom('webhooks')
    .select((select) => select.fn.countAll<number>().as('total'))
    .where('organization_id', '=', organizationId)
    .executeTakeFirstOrThrow()
  if (total < limits.webhooksMax) return
  throw new ApiError(409, 'CONFLICT', problem('webhooksFull', { max: limits.webhooksMax }))
}

function selectWebhook(db: Database, { organizationId, id }: WebhookKey) {
  return db.kysely
    .selectFrom('webhooks')
    .select(columns)
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
}

type Disabled = { disabledReason: string | null; disabledProblem: string | null }

type Selected = Omit<WebhookRow, 'events' | 'batch' | keyof NamedProblem> &
  Disabled & { events: string; batch: 0 | 1 }

function webhookRow({ events, batch, disabledProblem, ...row }: Selected): WebhookRow {
  return {
    ...row,
    ...namedProblem(row.disabledReason, disabledProblem),
    events: JSON.parse(events),
    batch: batch === 1,
  }
}
