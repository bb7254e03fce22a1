import { createHash } from 'node:crypto'
import { problem } from '@everscan/contract/problems/problem.ts'
import { idempotencyHours } from '@everscan/contract/schema/headers.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import type { FastifyRequest } from 'fastify'
import { type Database, inTransaction, lockName, tag } from '../../db/database.ts'
import { ApiError } from '../../errors.ts'
import { Answer } from './handler.ts'
import type { ApiContext } from './api-context.ts'
import type { Caller } from '../../catalogue/organizations/callers.ts'

export type Phases = {
  /** Whatever takes long and writes nothing. */
  prepare: () => unknown
  /** Writes, in the transaction if there is a key. */
  commit: (context: ApiContext, prepared: unknown) => unknown
}

const keyPattern = /^[\x21-\x7e]+$/

/**
 * Commits once per `Idempotency-Key`: the response is stored in the same transaction as its
 * changes, and a repeat within 24 hours gets that response. Of several simultaneous requests each
 * prepares and one commits. Without the header, runs both phases. A failure stores nothing, so the
 * client can retry.
 */
export async function onlyOnce(
  context: ApiContext,
  { caller, request }: { caller: Caller; request: FastifyRequest },
  { prepare, commit }: Phases,
): Promise<unknown> {
  const key = request.headers['idempotency-key']
  if (key === undefined) return commit(context, await prepare())
  const once = {
    organizationId: caller.organizationId,
    key: checkKey(key),
    fingerprint: fingerprintOf(request),
  }
  const earlier = await findAnswer(context.db, once, context.clock())
  if (earlier !== undefined) return earlier
  // The transaction is the only writer on SQLite: it must not wait for work on styles.
  const prepared = await prepare()
  return inTransaction(context.db, async (tx) => {
    // The first of several simultaneous requests commits; the others find its response.
    await lockName(tx, `idempotency ${once.organizationId} ${once.key}`)
    const nowMs = context.clock()
    const first = await findAnswer(tx, once, nowMs)
    if (first !== undefined) return first
    const result = await commit({ ...context, db: tx }, prepared)
    await saveAnswer(tx, once, { result, nowMs })
    return result
  })
}

type Once = { organizationId: string; key: string; fingerprint: string }

async function findAnswer(db: Database, once: Once, nowMs: number): Promise<Answer<unknown> | undefined> {
  const row = await db.kysely
    .selectFrom('idempotency_keys')
    .select(['fingerprint', 'body', 'headers'])
    .where('organization_id', '=', once.organizationId)
    .where('idempotency_key', '=', once.key)
    .where('created_at_ms', '>', nowMs - idempotencyHours * 3_600_000)
    .modifyEnd(tag('api.findAnswer'))
    .executeTakeFirst()
  if (row === undefined) return undefined
  if (row.fingerprint !== once.fingerprint) throw new ApiError(409, 'CONFLICT', problem('idempotencyKeyUsed'))
  const headers = JSON.parse(row.headers) as Record<string, string>
  return new Answer<unknown>(JSON.parse(row.body), { ...headers, 'idempotent-replayed': 'true' })
}

async function saveAnswer(tx: Database, once: Once, { result, nowMs }: { result: unknown; nowMs: number }) {
  const { body, headers } = result instanceof Answer ? result : { body: result, headers: {} }
  const values = {
    organization_id: once.organizationId,
    idempotency_key: once.key,
    fingerprint: once.fingerprint,
    // The endpoint defines the status of success; this value only informs readers of the table.
    status: 201,
    body: JSON.stringify(body),
    headers: JSON.stringify(headers),
    created_at_ms: nowMs,
  }
  await tx.kysely
    .insertInto('idempotency_keys')
    .values(values)
    // Replaces a response that is older than a day.
    .onConflict((conflict) => conflict.columns(['organization_id', 'idempotency_key']).doUpdateSet(values))
    .modifyEnd(tag('api.saveAnswer'))
    .execute()
}

function checkKey(key: string | string[]): string {
  if (typeof key === 'string' && key.length <= limits.idempotencyKeyCharsMax && keyPattern.test(key))
    return key
  const path = 'Idempotency-Key'
  const found = problem('idempotencyKeyForm', { max: limits.idempotencyKeyCharsMax })
  const told = { ...found, message: `${path} ${found.message}` }
  throw new ApiError(400, 'VALIDATION_ERROR', told, { details: [{ path, ...found }] })
}

function fingerprintOf({ method, url, body }: FastifyRequest): string {
  return createHash('sha256')
    .update(JSON.stringify([method, url, body]))
    .digest('hex')
}
