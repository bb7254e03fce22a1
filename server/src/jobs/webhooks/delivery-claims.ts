import { problem, type Problem } from '@everscan/contract/problems/problem.ts'
import { webhookFailuresMax, webhookRetriesSeconds } from '@everscan/contract/resources/webhooks.ts'
import { sql, type SqlBool } from 'kysely'
import { recordAudit } from '../../catalogue/ledger/audit-log.ts'
import { systemOrigin } from '../../catalogue/rows/change-origins.ts'
import { storedProblem } from '../../catalogue/rows/named-problem.ts'
import { targetOf } from '../../catalogue/webhooks/webhooks.ts'
import { inTransaction, forUpdate, tag, type Database } from '../../db/database.ts'
import { claimDue, ended, leases, renewed, updateIfHeld, type LeaseTerms } from '../../db/lease.ts'
import { distinctValues } from '../../db/dialects/distinct-values.ts'
import { isOneOf } from '../../db/dialects/row-sets.ts'
import type { CallOutcome } from './webhook-calls.ts'

/** A webhook with deliveries that wait to be sent, now or later. */
export type WaitingWebhook = {
  organizationId: string
  id: string
  url: string
  failuresInARow: number
  /** Sealed. */
  secret: string
  previousSecret: string | null
  previousUntilMs: number | null
}

/** A delivery that this worker may make until its lease ends. */
export type DeliveryClaim = {
  organizationId: string
  id: string
  webhookId: string
  pageId: string
  firstEvent: number
  eventCount: number
  attempts: number
  leaseNumber: number
}

export type DeliveryOutcome = { claim: DeliveryClaim; outcome: CallOutcome }

/**
 * Longer than any assigned wait: a time further ahead comes from a clock that has since been set
 * back.
 */
const waitMsMax = 3 * 24 * 3_600_000

/** Returns the enabled webhooks with waiting deliveries, in the order of their organizations. */
export async function waitingWebhooks(db: Database): Promise<WaitingWebhook[]> {
  const ids = await distinctValues(db, 'webhook_deliveries', {
    column: 'webhook_id',
    where: sql<SqlBool>`status = 'PENDING'`,
  })
  if (ids.length === 0) return []
  return db.kysely
    .selectFrom('webhooks')
    .select([
      'organization_id as organizationId',
      'id',
      'url',
      'failures_in_a_row as failuresInARow',
      'secret',
      'previous_secret as previousSecret',
      'previous_until_ms as previousUntilMs',
    ])
    .where(isOneOf(db, 'id', ids))
    .where('status', '=', 'ENABLED')
    .orderBy('organization_id')
    .orderBy('id')
    .modifyEnd(tag('jobs.waitingWebhooks'))
    .execute()
}

/** Claims up to `limit` due deliveries of a webhook, those that have waited longest first. */
export async function claimDeliveries(
  db: Database,
  webhookId: string,
  { limit, nowMs, leaseMs }: { limit: number; nowMs: number; leaseMs: number },
): Promise<DeliveryClaim[]> {
  const find = ({ kysely }: Database) =>
    kysely
      .selectFrom('webhook_deliveries')
      .select([
        'organization_id as organizationId',
        'id',
        'webhook_id as webhookId',
        'page_id as pageId',
        'first_event as firstEvent',
        'event_count as eventCount',
        'attempts',
      ])
      .where('webhook_id', '=', webhookId)
      .where('status', '=', 'PENDING')
      .where((where) =>
        where.or([where('run_at_ms', '<=', nowMs), where('run_at_ms', '>', nowMs + waitMsMax)]),
      )
      .orderBy('run_at_ms')
      .orderBy('id')
      .modifyEnd(tag('jobs.findDeliveries'))
  return claimDue(db, leases.delivery, { find, limit, nowMs, leaseMs })
}

/** Keeps deliveries in progress for longer. */
export async function renewDeliveries(
  db: Database,
  claims: readonly DeliveryClaim[],
  terms: LeaseTerms,
): Promise<void> {
  await updateDeliveries(db, claims, renewed(leases.delivery, terms))
}

/** Lets other workers make deliveries at once. */
export async function releaseDeliveries(db: Database, claims: readonly DeliveryClaim[]): Promise<void> {
  await updateDeliveries(db, claims, ended(leases.delivery))
}

async function updateDeliveries(
  db: Database,
  claims: readonly DeliveryClaim[],
  changes: Parameters<typeof updateIfHeld<typeof leases.delivery>>[3],
): Promise<void> {
  if (claims.length === 0) return
  await inTransaction(db, async (tx) => {
    for (const claim of claims) await updateIfHeld(tx, leases.delivery, claim, changes)
  })
}

/**
 * Records the outcomes of deliveries. Those that failed are repeated on schedule. A webhook is
 * disabled if it failed too often in a row, or if its receiver answered 410. A delivery that
 * another worker has claimed meanwhile is left to that worker. Returns the ids of the webhooks that
 * were disabled.
 */
export async function recordOutcomes(
  db: Database,
  outcomes: readonly DeliveryOutcome[],
  { nowMs, random }: { nowMs: number; random: () => number },
): Promise<string[]> {
  // Every worker uses this order of webhooks, so that two of them cannot deadlock.
  const webhookIds = [...new Set(outcomes.map(({ claim }) => claim.webhookId))].sort()
  return inTransaction(db, async (tx) => {
    const disabled: string[] = []
    for (const webhookId of webhookIds) {
      const own = outcomes.filter(({ claim }) => claim.webhookId === webhookId)
      if (await recordOutcomesOf(tx, own, { nowMs, random })) disabled.push(webhookId)
    }
    return disabled
  })
}

async function recordOutcomesOf(
  tx: Database,
  outcomes: readonly DeliveryOutcome[],
  { nowMs, random }: { nowMs: number; random: () => number },
): Promise<boolean> {
  const [first] = outcomes
  if (first === undefined) return false
  const { organizationId, webhookId } = first.claim
  const webhook = await tx.kysely
    .selectFrom('webhooks')
    .select(['url', 'status', 'failures_in_a_row as failures'])
    .where('organization_id', '=', organizationId)
    .where('id', '=', webhookId)
    .modifyEnd(forUpdate(tx))
    .executeTakeFirst()
  // It was deleted meanwhile, and its deliveries with it.
  if (webhook === undefined) return false
  let { failures } = webhook
  let gone = false
  for (const one of outcomes) {
    if (!(await recordOutcome(tx, one, { nowMs, random }))) continue
    failures = one.outcome.succeeded ? 0 : failures + 1
    gone ||= one.outcome.status === 410
  }
  const last = outcomes.findLast(({ outcome }) => !outcome.succeeded)?.outcome.problem
  const reason = gone ? problem('receiverGone') : reasonToDisable(failures, last)
  const disables = reason !== undefined && webhook.status === 'ENABLED'
  await tx.kysely
    .updateTable('webhooks')
    .set({
      failures_in_a_row: failures,
      last_delivery_at_ms: nowMs,
      ...(disables && {
        status: 'DISABLED' as const,
        disabled_reason: reason.message,
        disabled_problem: storedProblem(reason),
        updated_at_ms: nowMs,
      }),
    })
    .where('organization_id', '=', organizationId)
    .where('id', '=', webhookId)
    .modifyEnd(tag('jobs.recordOutcomes'))
    .execute()
  if (disables)
    await recordAudit(tx, organizationId, [
      {
        action: 'webhook.update',
        target: targetOf({ id: webhookId, url: webhook.url }),
        fields: ['status'],
        origin: systemOrigin,
        nowMs,
      },
    ])
  return disables
}

function reasonToDisable(calls: number, last: Problem | undefined): Problem | undefined {
  if (calls < webhookFailuresMax || last === undefined) return undefined
  return problem('callsFailed', { ...last.values, calls, last: last.problem })
}

/** Records an outcome. Returns false if another worker has the delivery now. */
async function recordOutcome(
  tx: Database,
  { claim, outcome }: DeliveryOutcome,
  { nowMs, random }: { nowMs: number; random: () => number },
): Promise<boolean> {
  const attempts = claim.attempts + 1
  const waitMs = outcome.succeeded || outcome.status === 410 ? undefined : retryMs(attempts, outcome, random)
  const status = outcome.succeeded ? 'SUCCEEDED' : waitMs === undefined ? 'FAILED' : 'PENDING'
  return updateIfHeld(tx, leases.delivery, claim, {
    status,
    attempts,
    ...ended(leases.delivery),
    response_status: outcome.status ?? null,
    response_body: outcome.body ?? null,
    error: outcome.problem?.message ?? null,
    error_problem: storedProblem(outcome.problem ?? null),
    duration_ms: outcome.durationMs,
    ...(waitMs === undefined ? { completed_at_ms: nowMs } : { run_at_ms: nowMs + waitMs }),
  })
}

/**
 * Returns how long to wait after this many attempts: as the schedule says plus up to a fifth, or as
 * long as the receiver requests if that is longer. Undefined: it was the last attempt.
 */
export function retryMs(
  attempts: number,
  { retryAfterMs = 0 }: Pick<CallOutcome, 'retryAfterMs'>,
  random: () => number,
): number | undefined {
  const seconds = webhookRetriesSeconds[attempts - 1]
  return seconds === undefined
    ? undefined
    : Math.round(Math.max(seconds * 1000 * (1 + random() / 5), retryAfterMs))
}
