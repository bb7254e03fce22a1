import { inTransaction, tag, type Database } from '../../db/database.ts'
import { isOneOf, updateQrCodeRows } from '../../db/dialects/row-sets.ts'
import type { ChangeOrigin } from '../rows/change-origins.ts'
import { findAndLockFolders, noSuchFolder } from './folders.ts'
import { changeableColumns, changedFields, mergeQrCode, type QrCodeChanges } from './qr-code-merging.ts'
import { completeQrCodes, selectQrCodes } from './qr-code-rows.ts'
import type { QrCodeRow } from '../rows/qr-code-row.ts'
import { recordQrCodeChanges } from './record-qr-code-changes.ts'
import { replaceTags } from './tags.ts'

/**
 * Returns the codes with these ids, by id. The map omits ids that the organization does not have.
 */
export async function readQrCodes(
  db: Database,
  organizationId: string,
  ids: readonly string[],
): Promise<Map<string, QrCodeRow>> {
  if (ids.length === 0) return new Map()
  const selected = await selectQrCodes(db, organizationId)
    .where(isOneOf(db, 'q.id', ids))
    .modifyEnd(tag('catalogue.readQrCodes'))
    .execute()
  const rows = await completeQrCodes(db, selected)
  return new Map(rows.map((row) => [row.id, row]))
}

/**
 * Returns the codes with these keys (`codeKey`), by key. The map omits keys that the organization
 * does not have.
 */
export async function readQrCodesByShortCode(
  db: Database,
  organizationId: string,
  keys: readonly string[],
): Promise<Map<string, QrCodeRow>> {
  if (keys.length === 0) return new Map()
  const selected = await selectQrCodes(db, organizationId)
    .where(isOneOf(db, 'q.canonical_code', keys))
    .modifyEnd(tag('catalogue.readQrCodesByShortCode'))
    .execute()
  const rows = await completeQrCodes(db, selected)
  return new Map(rows.map((row) => [row.codeKey, row]))
}

/** A code as it was read, and the changes to make to it. */
export type QrCodeChange = { before: QrCodeRow; changes: QrCodeChanges }

/**
 * Changes many codes of an organization with a few statements and returns the changed codes by id.
 * Skips a code that was changed or deleted since it was read: the map omits it. A code whose fields
 * all stay the same is not written. Throws ApiError 400 VALIDATION_ERROR for an unknown folder.
 */
export async function updateQrCodes(
  db: Database,
  organizationId: string,
  options: { changes: readonly QrCodeChange[]; origin: ChangeOrigin; nowMs?: number },
): Promise<Map<string, QrCodeRow>> {
  const { changes, origin, nowMs = Date.now() } = options
  return inTransaction(db, async (tx) => {
    await requireFolders(tx, organizationId, changes)
    const merged = changes.map(({ before, changes: change }) => ({
      before,
      after: mergeQrCode(before, change, { origin, nowMs }),
    }))
    const isChange = ({ before, after }: (typeof merged)[number]) => changedFields(before, after).length > 0
    const after = merged.filter(isChange).map((one) => one.after)
    const unchanged = merged.filter((one) => !isChange(one)).map(({ before }) => before)
    // Every caller uses this order, so that two transactions rarely wait for each other.
    const columns = after
      .toSorted(byId)
      .map((row) => ({ organization_id: organizationId, id: row.id, ...changeableColumns(row) }))
    const written = await updateQrCodeRows(tx, columns)
    const rows = after.filter(({ id }) => written.has(id))
    const tagged = new Set(
      changes.filter((one) => one.changes.tags !== undefined).map(({ before }) => before.id),
    )
    await replaceTags(
      tx,
      rows.filter(({ id }) => tagged.has(id)),
    )
    const states = new Map(changes.map(({ before }) => [before.id, before]))
    await recordQrCodeChanges(
      tx,
      organizationId,
      rows.map((row) => ({ before: states.get(row.id), after: row, origin, nowMs })),
    )
    return new Map([...rows, ...unchanged].map((row) => [row.id, row]))
  })
}

async function requireFolders(
  tx: Database,
  organizationId: string,
  changes: readonly QrCodeChange[],
): Promise<void> {
  const folderIds = changes.flatMap((change) => change.changes.folderId ?? [])
  const folders = await findAndLockFolders(tx, organizationId, folderIds)
  const missing = folderIds.find((id) => !folders.has(id))
  if (missing !== undefined) throw noSuchFolder(missing)
}

function byId(one: QrCodeRow, other: QrCodeRow): number {
  return one.id < other.id ? -1 : 1
}
