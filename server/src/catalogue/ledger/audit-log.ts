import type { AuditAction } from '@everscan/contract/resources/audit-log.ts'
import { tag, type Database } from '../../db/database.ts'
import { insertRows, isOneOf } from '../../db/dialects/row-sets.ts'
import { createId } from '../../ids.ts'
import type { ChangeOrigin } from '../rows/change-origins.ts'
import { fieldNames } from './field-names.ts'

export type NewAuditEntry = {
  action: AuditAction
  /** The changed object, with its name at that time. */
  target: { id: string; name: string | null }
  /** Names of the fields that changed. */
  fields?: readonly string[]
  origin: ChangeOrigin
  nowMs: number
}

/** A stored entry. */
export type AuditRow = Omit<NewAuditEntry, 'nowMs' | 'fields'> & {
  id: string
  fields: readonly string[]
  createdAtMs: number
}

export type AuditLogQuery = {
  page: number
  limit: number
  action?: string | undefined
  actorId?: string | undefined
  targetId?: string | undefined
  /** Inclusive. */
  startMs?: number
  /** Exclusive. */
  endMs?: number
}

/**
 * Adds entries to the audit log of an organization, in the transaction of the changes: neither is
 * ever stored without the other.
 */
export async function recordAudit(
  tx: Database,
  organizationId: string,
  entries: readonly NewAuditEntry[],
): Promise<void> {
  if (!tx.kysely.isTransaction) throw new Error('an audit entry belongs to the transaction of its change')
  await insertRows(tx, 'audit_log', {
    rows: entries.map(({ action, target, fields = [], origin, nowMs }) => ({
      organization_id: organizationId,
      id: createId('aud'),
      action,
      actor_kind: origin.actor.kind,
      actor_id: origin.actor.id,
      actor_name: origin.actor.name,
      target_id: target.id,
      target_name: target.name,
      fields: fields.join(','),
      via: origin.via,
      country: origin.country,
      user_agent: origin.userAgent,
      request_id: origin.requestId,
      created_at_ms: nowMs,
    })),
  })
}

/** Returns a page of an organization's audit log, newest first, and the total of matches. */
export async function listAuditLog(
  db: Database,
  organizationId: string,
  { page, limit, ...filters }: AuditLogQuery,
): Promise<{ rows: AuditRow[]; total: number }> {
  const matching = selectEntries(db, organizationId, filters)
  // An index alone yields the ids, however deep the page is.
  const found = await matching
    .select('id')
    .orderBy('created_at_ms', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset((page - 1) * limit)
    .modifyEnd(tag('catalogue.findAuditEntries'))
    .execute()
  const ids = found.map(({ id }) => id)
  // Sorted in memory: with an ORDER BY, SQLite would scan all entries in that order.
  const rows = await db.kysely
    .selectFrom('audit_log')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where(isOneOf(db, 'id', ids))
    .modifyEnd(tag('catalogue.listAuditLog'))
    .execute()
  rows.sort((one, other) => ids.indexOf(one.id) - ids.indexOf(other.id))
  const { total } = await matching
    .select((select) => select.fn.countAll<number>().as('total'))
    .modifyEnd(tag('catalogue.countAuditLog'))
    .executeTakeFirstOrThrow()
  return {
    rows: rows.map((row) => ({
      id: row.id,
      action: row.action,
      target: { id: row.target_id, name: row.target_name },
      fields: fieldNames(row.fields),
      origin: {
        actor: { kind: row.actor_kind, id: row.actor_id, name: row.actor_name },
        via: row.via,
        country: row.country,
        userAgent: row.user_agent,
        requestId: row.request_id,
      },
      createdAtMs: row.created_at_ms,
    })),
    total,
  }
}

function selectEntries(
  db: Database,
  organizationId: string,
  { action, actorId, targetId, startMs, endMs }: Omit<AuditLogQuery, 'page' | 'limit'>,
) {
  let entries = db.kysely.selectFrom('audit_log').where('organization_id', '=', organizationId)
  // Any text is accepted: an unknown action matches no entries.
  if (action !== undefined) entries = entries.where('action', '=', action as AuditAction)
  if (actorId !== undefined) entries = entries.where('actor_id', '=', actorId)
  if (targetId !== undefined) entries = entries.where('target_id', '=', targetId)
  if (startMs !== undefined) entries = entries.where('created_at_ms', '>=', startMs)
  if (endMs !== undefined) entries = entries.where('created_at_ms', '<', endMs)
  return entries
}
