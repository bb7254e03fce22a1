import { problem } from '@everscan/contract/problems/problem.ts'
import type { EventName } from '@everscan/contract/resources/events.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import { sql } from 'kysely'
import { inTransaction, tag, type Database } from '../../db/database.ts'
import { insertEvents } from '../../db/feeds/event-pages.ts'
import { ApiError } from '../../errors.ts'
import { createId, eventId } from '../../ids.ts'
import { storedEvent } from '../ledger/events.ts'
import { readWebhook, type WebhookKey } from './webhooks.ts'
import { namedProblem, type NamedProblem } from '../rows/named-problem.ts'
import type { WebhookRow } from '../rows/webhook-row.ts'

export type DeliveryStatus = 'PENDING' | 'SUCCEEDED' | 'FAILED'

/** One event, or a batch of scans, for one webhook. The problem is that of `error`. */
export type DeliveryRow = NamedProblem & {
  organizationId: string
  id: string
  webhookId: string
  eventId: string
  event: EventName
  /** How many events the delivery contains. */
  events: number
  status: DeliveryStatus
  attempts: number
  responseStatus: number | null
  responseBody: string | null
  error: string | null
  durationMs: number | null
  createdAtMs: number
  /** Null if no further attempt follows. */
  nextAttemptAtMs: number | null
  completedAtMs: number | null
}

const columns = [
  'organization_id as organizationId',
  'id',
  'webhook_id as webhookId',
  'page_id as pageId',
  'first_event as firstEvent',
  'event_count as events',
  'event',
  'status',
  'attempts',
  'response_status as responseStatus',
  'response_body as responseBody',
  'error',
  'error_problem as errorProblem',
  'duration_ms as durationMs',
  'created_at_ms as createdAtMs',
  'run_at_ms as runAtMs',
  'completed_at_ms as completedAtMs',
] as const

/** The columns of a delivery without any attempt. */
export const untried = {
  status: 'PENDING',
  attempts: 0,
  lease_number: 0,
  lease_until_ms: null,
  response_status: null,
  response_body: null,
  error: null,
  error_problem: null,
  duration_ms: null,
  completed_at_ms: null,
} as const

/**
 * Returns a page of a webhook's deliveries, newest first, and the total of matches. Returns
 * undefined if the webhook does not exist.
 */
export async function listDeliveries(
  db: Database,
  key: WebhookKey,
  {
    page,
    limit,
    status,
    event,
  }: {
    page: number
    limit: number
    status?: DeliveryStatus | undefined
    event?: EventName | undefined
  },
): Promise<{ rows: DeliveryRow[]; total: number } | undefined> {
  if ((await readWebhook(db, key)) === undefined) return undefined
  let matching = db.kysely
    .selectFrom('webhook_deliveries')
    .where('organization_id', '=', key.organizationId)
    .where('webhook_id', '=', key.id)
  if (status !== undefined) matching = matching.where('status', '=', status)
  if (event !== undefined) matching = matching.where('event', '=', event)
  const rows = await matching
    .select(columns)
    .orderBy('id', 'desc')
    .limit(limit)
    .offset((page - 1) * limit)
    .modifyEnd(tag('catalogue.listDeliveries'))
    .execute()
  const { total } = await matching
    .select((select) => select.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return { rows: rows.map(deliveryRow), total }
}

/**
 * Sends the events of a delivery again, as a new delivery. Returns undefined if the delivery does
 * not exist. Throws ApiError 409 CONFLICT if the webhook is disabled.
 */
export async function replayDelivery(
  db: Database,
  key: WebhookKey,
  { deliveryId, nowMs }: { deliveryId: string; nowMs: number },
): Promise<DeliveryRow | undefined> {
  return inTransaction(db, async (tx) => {
    const webhook = await readWebhook(tx, key)
    const found = await tx.kysely
      .selectFrom('webhook_deliveries')
      .selectAll()
      .where('organization_id', '=', key.organizationId)
      .where('webhook_id', '=', key.id)
      .where('id', '=', deliveryId)
      .modifyEnd(tag('catalogue.findDelivery'))
      .executeTakeFirst()
    if (webhook === undefined || found === undefined) return undefined
    requireEnabled(webhook)
    return insertDelivery(tx, { ...found, ...untried, id: createId('dlv') }, nowMs)
  })
}

/**
 * Sends a `webhook.ping`, whatever events the webhook takes. Returns undefined if the webhook does
 * not exist. Throws ApiError 409 CONFLICT if it is disabled.
 */
export async function pingWebhook(
  db: Database,
  key: WebhookKey,
  nowMs: number,
): Promise<DeliveryRow | undefined> {
  return inTransaction(db, async (tx) => {
    const webhook = await readWebhook(tx, key)
    if (webhook === undefined) return undefined
    requireEnabled(webhook)
    const ping = storedEvent({ event: 'webhook.ping', atMs: nowMs, data: webhook })
    const [pageId = ''] = await insertEvents(tx, key.organizationId, {
      events: [ping],
      fannedOut: true,
      nowMs,
    })
    const delivery = {
      organization_id: key.organizationId,
      id: createId('dlv'),
      webhook_id: key.id,
      page_id: pageId,
      first_event: 0,
      event_count: 1,
      event: ping.event,
      ...untried,
    }
    return insertDelivery(tx, delivery, nowMs)
  })
}

async function insertDelivery(
  tx: Database,
  delivery: {
    organization_id: string
    id: string
    webhook_id: string
    page_id: string
    first_event: number
    event_count: number
    event: EventName
  } & typeof untried,
  nowMs: number,
): Promise<DeliveryRow> {
  const row = await tx.kysely
    .insertInto('webhook_deliveries')
    .values({ ...delivery, run_at_ms: nowMs, created_at_ms: nowMs })
    .returning(columns)
    .modifyEnd(tag('catalogue.insertDelivery'))
    .executeTakeFirstOrThrow()
  return deliveryRow(row)
}

function requireEnabled({ status }: WebhookRow): void {
  if (status === 'DISABLED') throw new ApiError(409, 'CONFLICT', problem('webhookDisabled'))
}

function deliveryRow({
  pageId,
  firstEvent,
  runAtMs,
  errorProblem,
  ...row
}: Omit<DeliveryRow, 'eventId' | 'nextAttemptAtMs' | keyof NamedProblem> & {
  pageId: string
  firstEvent: number
  runAtMs: number
  errorProblem: string | null
}): DeliveryRow {
  return {
    ...row,
    ...namedProblem(row.error, errorProblem),
    eventId: eventId(pageId, firstEvent),
    nextAttemptAtMs: row.status === 'PENDING' ? runAtMs : null,
  }
}

/**
 * Deletes a batch of deliveries from before this time, and a batch beyond
 * `limits.webhookDeliveriesMax` of each webhook. Returns how many were deleted. Call it until it
 * returns 0.
 */
export async function deleteOldDeliveries(db: Database, oldMs: number): Promise<number> {
  const { numAffectedRows: old = 0n } = await sql`/* catalogue.deleteOldDeliveries */
    delete from webhook_deliveries
    where (organization_id, id) in (
      select organization_id, id from webhook_deliveries where created_at_ms < ${oldMs} limit ${deletedAtOnce})`.execute(
    db.kysely,
  )
  const webhooks = await db.kysely.selectFrom('webhooks').select(['organization_id', 'id']).execute()
  let over = 0n
  for (const { organization_id: organizationId, id } of webhooks) {
    const { numAffectedRows = 0n } = await sql`/* catalogue.deleteDeliveriesOver */
      delete from webhook_deliveries
      where organization_id = ${organizationId}
      and webhook_id = ${id}
      and status <> 'PENDING'
      and id in (
        select id from webhook_deliveries
        where organization_id = ${organizationId} and webhook_id = ${id}
        order by id desc
        limit ${deletedAtOnce} offset ${limits.webhookDeliveriesMax})`.execute(db.kysely)
    over += numAffectedRows
  }
  return Number(old + over)
}

const deletedAtOnce = 1_000
