import { problem } from '@everscan/contract/problems/problem.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import { utmFields, type UtmValues } from '@everscan/contract/utm/utm-templates.ts'
import { inTransaction, lockName, tag, type Database } from '../../db/database.ts'
import { ApiError } from '../../errors.ts'
import { validationError } from '../../request-errors.ts'
import { createId } from '../../ids.ts'
import { recordAudit } from '../ledger/audit-log.ts'
import type { ChangeOrigin } from '../rows/change-origins.ts'

export type UtmTemplateRow = UtmValues & {
  organizationId: string
  id: string
  name: string
  createdAtMs: number
  updatedAtMs: number
}

export type UtmTemplateKey = { organizationId: string; id: string }

type Change = { origin: ChangeOrigin; nowMs: number }

const columns = [
  'organization_id as organizationId',
  'id',
  'name',
  ...utmFields,
  'created_at_ms as createdAtMs',
  'updated_at_ms as updatedAtMs',
] as const

/**
 * Saves UTM parameters under a name. Throws ApiError 400 without any value, and 409 CONFLICT if the
 * organization already has `limits.utmTemplatesMax`.
 */
export async function createUtmTemplate(
  db: Database,
  organizationId: string,
  { name, values, origin, nowMs }: Change & { name: string; values: UtmValues },
): Promise<UtmTemplateRow> {
  requireValue(values)
  return inTransaction(db, async (tx) => {
    await lockTemplates(tx, organizationId)
    await requireRoom(tx, organizationId)
    const row = {
      organizationId,
      id: createId('utm'),
      name,
      ...values,
      createdAtMs: nowMs,
      updatedAtMs: nowMs,
    }
    await tx.kysely
      .insertInto('utm_templates')
      .values({
        organization_id: organizationId,
        id: row.id,
        name,
        ...values,
        created_at_ms: nowMs,
        updated_at_ms: nowMs,
      })
      .modifyEnd(tag('catalogue.createUtmTemplate'))
      .execute()
    await recordAudit(tx, organizationId, [{ action: 'utm-template.create', target: row, origin, nowMs }])
    return row
  })
}

/** Returns the template, or undefined if the organization has no such template. */
export async function readUtmTemplate(
  db: Database,
  { organizationId, id }: UtmTemplateKey,
): Promise<UtmTemplateRow | undefined> {
  return db.kysely
    .selectFrom('utm_templates')
    .select(columns)
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .modifyEnd(tag('catalogue.readUtmTemplate'))
    .executeTakeFirst()
}

/** Returns a page of an organization's templates, newest first, and the total. */
export async function listUtmTemplates(
  db: Database,
  organizationId: string,
  { page, limit }: { page: number; limit: number },
): Promise<{ rows: UtmTemplateRow[]; total: number }> {
  const templates = db.kysely.selectFrom('utm_templates').where('organization_id', '=', organizationId)
  const rows = await templates
    .select(columns)
    .orderBy('created_at_ms', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset((page - 1) * limit)
    .modifyEnd(tag('catalogue.listUtmTemplates'))
    .execute()
  const { total } = await templates
    .select((select) => select.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return { rows, total }
}

/**
 * Changes the given fields of a template, or returns undefined if it does not exist. Throws
 * ApiError 400 if no value would remain. The same values change nothing.
 */
export async function updateUtmTemplate(
  db: Database,
  key: UtmTemplateKey,
  {
    origin,
    nowMs,
    ...changes
  }: Change & { [Field in keyof UtmValues | 'name']?: UtmTemplateRow[Field] | undefined },
): Promise<UtmTemplateRow | undefined> {
  return inTransaction(db, async (tx) => {
    await lockTemplates(tx, key.organizationId)
    const before = await readUtmTemplate(tx, key)
    if (before === undefined) return undefined
    const fields = (['name', ...utmFields] as const).filter(
      (field) => changes[field] !== undefined && changes[field] !== before[field],
    )
    if (fields.length === 0) return before
    const changed = Object.fromEntries(fields.map((field) => [field, changes[field]]))
    const after: UtmTemplateRow = {
      ...before,
      ...changed,
      updatedAtMs: Math.max(nowMs, before.updatedAtMs),
    }
    requireValue(after)
    await tx.kysely
      .updateTable('utm_templates')
      .set({ ...changed, updated_at_ms: after.updatedAtMs })
      .where('organization_id', '=', key.organizationId)
      .where('id', '=', key.id)
      .modifyEnd(tag('catalogue.updateUtmTemplate'))
      .execute()
    await recordAudit(tx, key.organizationId, [
      { action: 'utm-template.update', target: after, fields, origin, nowMs },
    ])
    return after
  })
}

/**
 * Deletes a template and returns it, or undefined if it does not exist. Codes keep their
 * destinations.
 */
export async function deleteUtmTemplate(
  db: Database,
  key: UtmTemplateKey,
  { origin, nowMs }: Change,
): Promise<UtmTemplateRow | undefined> {
  return inTransaction(db, async (tx) => {
    const row = await tx.kysely
      .deleteFrom('utm_templates')
      .where('organization_id', '=', key.organizationId)
      .where('id', '=', key.id)
      .returning(columns)
      .modifyEnd(tag('catalogue.deleteUtmTemplate'))
      .executeTakeFirst()
    if (row === undefined) return undefined
    await recordAudit(tx, key.organizationId, [{ action: 'utm-template.delete', target: row, origin, nowMs }])
    return row
  })
}

/** Serializes changes to an organization's templates, to keep the limit. */
async function lockTemplates(tx: Database, organizationId: string): Promise<void> {
  await lockName(tx, `utm templates ${organizationId}`)
}

async function requireRoom(tx: Database, organizationId: string): Promise<void> {
  const { total } = await tx.kysely
    .selectFrom('utm_templates')
    .select((select) => select.fn.countAll<number>().as('total'))
    .where('organization_id', '=', organizationId)
    .executeTakeFirstOrThrow()
  if (total < limits.utmTemplatesMax) return
  throw new ApiError(409, 'CONFLICT', problem('utmTemplatesFull', { max: limits.utmTemplatesMax }))
}

function requireValue(values: UtmValues): void {
  if (utmFields.some((field) => values[field] !== null)) return
  throw validationError([{ path: '', ...problem('noUtmValue', { fields: utmFields.join(', ') }) }])
}
