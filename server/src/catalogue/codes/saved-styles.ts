import { problem } from '@everscan/contract/problems/problem.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import type { Style } from '@everscan/contract/resources/styles.ts'
import { inTransaction, lockName, tag, type Database } from '../../db/database.ts'
import { ApiError } from '../../errors.ts'
import { createId } from '../../ids.ts'
import { recordAudit } from '../ledger/audit-log.ts'
import type { ChangeOrigin } from '../rows/change-origins.ts'

export type SavedStyleRow = {
  organizationId: string
  id: string
  name: string
  style: Style
  isDefault: boolean
  createdAtMs: number
  updatedAtMs: number
}

export type SavedStyleKey = { organizationId: string; id: string }

type Change = { origin: ChangeOrigin; nowMs: number }

const columns = [
  'organization_id as organizationId',
  'id',
  'name',
  'style',
  'is_default as isDefault',
  'created_at_ms as createdAtMs',
  'updated_at_ms as updatedAtMs',
] as const

/**
 * Saves a style under a name. Throws ApiError 409 CONFLICT if the organization already has
 * `limits.stylesMax`.
 */
export async function createSavedStyle(
  db: Database,
  organizationId: string,
  { name, style, isDefault, origin, nowMs }: Change & { name: string; style: Style; isDefault: boolean },
): Promise<SavedStyleRow> {
  return inTransaction(db, async (tx) => {
    await lockStyles(tx, organizationId)
    await requireRoom(tx, organizationId)
    if (isDefault) await clearDefault(tx, organizationId)
    const row = {
      organizationId,
      id: createId('sty'),
      name,
      style,
      isDefault,
      createdAtMs: nowMs,
      updatedAtMs: nowMs,
    }
    await tx.kysely
      .insertInto('styles')
      .values({
        organization_id: organizationId,
        id: row.id,
        name,
        style: JSON.stringify(style),
        is_default: isDefault ? 1 : 0,
        created_at_ms: nowMs,
        updated_at_ms: nowMs,
      })
      .modifyEnd(tag('catalogue.createSavedStyle'))
      .execute()
    await recordAudit(tx, organizationId, [{ action: 'style.create', target: row, origin, nowMs }])
    return row
  })
}

/** Returns the style, or undefined if the organization has no such style. */
export async function readSavedStyle(
  db: Database,
  { organizationId, id }: SavedStyleKey,
): Promise<SavedStyleRow | undefined> {
  const row = await db.kysely
    .selectFrom('styles')
    .select(columns)
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .modifyEnd(tag('catalogue.readSavedStyle'))
    .executeTakeFirst()
  return row && savedStyleRow(row)
}

/** Returns the style of codes created without a style, or undefined if no style is the default. */
export async function readDefaultStyle(
  db: Database,
  organizationId: string,
): Promise<SavedStyleRow | undefined> {
  const row = await db.kysely
    .selectFrom('styles')
    .select(columns)
    .where('organization_id', '=', organizationId)
    .where('is_default', '=', 1)
    .modifyEnd(tag('catalogue.readDefaultStyle'))
    .executeTakeFirst()
  return row && savedStyleRow(row)
}

/** Returns a page of an organization's styles, newest first, and the total. */
export async function listSavedStyles(
  db: Database,
  organizationId: string,
  { page, limit }: { page: number; limit: number },
): Promise<{ rows: SavedStyleRow[]; total: number }> {
  const styles = db.kysely.selectFrom('styles').where('organization_id', '=', organizationId)
  const rows = await styles
    .select(columns)
    .orderBy('created_at_ms', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset((page - 1) * limit)
    .modifyEnd(tag('catalogue.listSavedStyles'))
    .execute()
  const { total } = await styles
    .select((select) => select.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return { rows: rows.map(savedStyleRow), total }
}

/**
 * Changes the given fields of a saved style, or returns undefined if it does not exist. Existing
 * codes keep their style.
 */
export async function updateSavedStyle(
  db: Database,
  key: SavedStyleKey,
  change: Change & {
    name?: string | undefined
    style?: Style | undefined
    isDefault?: boolean | undefined
  },
): Promise<SavedStyleRow | undefined> {
  const { origin, nowMs } = change
  return inTransaction(db, async (tx) => {
    await lockStyles(tx, key.organizationId)
    const before = await readSavedStyle(tx, key)
    if (before === undefined) return undefined
    const { name = before.name, style = before.style, isDefault = before.isDefault } = change
    const fields = (['name', 'style', 'isDefault'] as const).filter((field) => change[field] !== undefined)
    if (fields.length === 0) return before
    if (isDefault && !before.isDefault) await clearDefault(tx, key.organizationId)
    await tx.kysely
      .updateTable('styles')
      .set({ name, style: JSON.stringify(style), is_default: isDefault ? 1 : 0, updated_at_ms: nowMs })
      .where('organization_id', '=', key.organizationId)
      .where('id', '=', key.id)
      .modifyEnd(tag('catalogue.updateSavedStyle'))
      .execute()
    await recordAudit(tx, key.organizationId, [
      { action: 'style.update', target: { id: key.id, name }, fields, origin, nowMs },
    ])
    return { ...before, name, style, isDefault, updatedAtMs: nowMs }
  })
}

/**
 * Deletes a saved style and returns it, or undefined if it does not exist. Existing codes keep
 * their style.
 */
export async function deleteSavedStyle(
  db: Database,
  key: SavedStyleKey,
  { origin, nowMs }: Change,
): Promise<SavedStyleRow | undefined> {
  return inTransaction(db, async (tx) => {
    const row = await tx.kysely
      .deleteFrom('styles')
      .where('organization_id', '=', key.organizationId)
      .where('id', '=', key.id)
      .returning(columns)
      .modifyEnd(tag('catalogue.deleteSavedStyle'))
      .executeTakeFirst()
    if (row === undefined) return undefined
    await recordAudit(tx, key.organizationId, [{ action: 'style.delete', target: row, origin, nowMs }])
    return savedStyleRow(row)
  })
}

/** Serializes changes to an organization's styles, to keep one default and the limit. */
async function lockStyles(tx: Database, organizationId: string): Promise<void> {
  await lockName(tx, `styles ${organizationId}`)
}

async function requireRoom(tx: Database, organizationId: string): Promise<void> {
  const { total } = await tx.kysely
    .selectFrom('styles')
    .select((select) => select.fn.countAll<number>().as('total'))
    .where('organization_id', '=', organizationId)
    .executeTakeFirstOrThrow()
  if (total < limits.stylesMax) return
  throw new ApiError(409, 'CONFLICT', problem('stylesFull', { max: limits.stylesMax }))
}

async function clearDefault(tx: Database, organizationId: string): Promise<void> {
  await tx.kysely
    .updateTable('styles')
    .set({ is_default: 0 })
    .where('organization_id', '=', organizationId)
    .where('is_default', '=', 1)
    .execute()
}

function savedStyleRow({
  style,
  isDefault,
  ...row
}: Omit<SavedStyleRow, 'style' | 'isDefault'> & { style: string; isDefault: 0 | 1 }): SavedStyleRow {
  return { ...row, style: JSON.parse(style), isDefault: isDefault === 1 }
}
