import { problem } from '@everscan/contract/problems/problem.ts'
import type { Database } from '../../db/database.ts'
import { insertRows } from '../../db/dialects/row-sets.ts'
import { createId } from '../../ids.ts'
import { storedProblem } from '../rows/named-problem.ts'
import type { WebhookRow } from '../rows/webhook-row.ts'
import { createWebhookSecret } from './secrets.ts'

export type ArchivedWebhook = Pick<
  WebhookRow,
  'organizationId' | 'id' | 'url' | 'events' | 'description' | 'batch' | 'createdAtMs'
>

const withoutSecret = problem('webhookImported')

/**
 * Inserts webhooks of an archive with new secrets. They are disabled until their receivers know
 * these: calls that they refuse would only fail. An id that another organization has is replaced.
 */
export async function insertArchivedWebhooks(
  tx: Database,
  webhooks: readonly ArchivedWebhook[],
  { seal, nowMs }: { seal: (secret: string, id: string) => string; nowMs: number },
): Promise<void> {
  const rowOf = ({ organizationId, id, url, events, description, batch, createdAtMs }: ArchivedWebhook) => ({
    organization_id: organizationId,
    id,
    url,
    events: JSON.stringify(events),
    description,
    batch: batch ? (1 as const) : (0 as const),
    status: 'DISABLED' as const,
    disabled_reason: withoutSecret.message,
    disabled_problem: storedProblem(withoutSecret),
    failures_in_a_row: 0,
    secret: seal(createWebhookSecret(), id),
    previous_secret: null,
    previous_until_ms: null,
    last_delivery_at_ms: null,
    created_at_ms: createdAtMs,
    updated_at_ms: nowMs,
  })
  const rows = webhooks.map(rowOf)
  const inserted = new Set(await insertRows(tx, 'webhooks', { rows, skipTaken: true, returning: 'id' }))
  const renamed = webhooks
    .filter(({ id }) => !inserted.has(id))
    .map((one) => ({ ...one, id: createId('whk') }))
  await insertRows(tx, 'webhooks', { rows: renamed.map(rowOf) })
}
