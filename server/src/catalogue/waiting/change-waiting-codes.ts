import { problem } from '@everscan/contract/problems/problem.ts'
import { codeKey, shortCodeTaken } from '@everscan/contract/resources/short-codes.ts'
import type { CodeForm } from '@everscan/contract/domains/code-forms.ts'
import { inTransaction, tag, type Database } from '../../db/database.ts'
import { ApiError } from '../../errors.ts'
import {
  changeableColumns,
  changedFields,
  mergeQrCode,
  type QrCodeChanges,
} from '../codes/qr-code-merging.ts'
import { saveSupersededVersions } from '../codes/qr-code-history.ts'
import { findAndLockFolders, noSuchFolder } from '../codes/folders.ts'
import { requireVersion, type QrCodeKey } from '../codes/qr-codes.ts'
import { takenCodeKeys } from '../imports/archive-imports.ts'
import { conflictIn } from '../../request-errors.ts'
import { recordAudit } from '../ledger/audit-log.ts'
import type { ChangeOrigin } from '../rows/change-origins.ts'
import { parseWaiting, selectWaiting, selectWaitingColumns, type WaitingQrCode } from './waiting-codes.ts'

type Change = { origin: ChangeOrigin; nowMs: number; ifVersion?: number | undefined }

/** A code that waits, with the form of short codes on its domain. */
export type FoundWaitingCode = { row: WaitingQrCode; codes: CodeForm; isProved: boolean }

/** Returns a code that waits or is lost, or undefined if the organization has no such code. */
export async function readWaitingCode(
  db: Database,
  { organizationId, id }: QrCodeKey,
): Promise<FoundWaitingCode | undefined> {
  const selected = await selectWaitingColumns(selectWaiting(db, organizationId))
    .where('q.id', '=', id)
    .modifyEnd(tag('catalogue.readWaitingCode'))
    .executeTakeFirst()
  if (selected === undefined) return undefined
  const row = parseWaiting(selected)
  const domain = await db.kysely
    .selectFrom('domains')
    .select(['codes', 'status'])
    .where('organization_id', '=', organizationId)
    .where('hostname', '=', row.domain)
    .modifyEnd(tag('catalogue.domainOfWaitingCode'))
    .executeTakeFirst()
  const isProved = domain !== undefined && domain.status !== 'PENDING'
  return { row, codes: domain?.codes ?? 'canonical', isProved }
}

/**
 * Changes a code that waits, and returns it, or undefined if it does not wait (any more). With
 * another short code, a lost one waits again. Throws ApiError 409 CONFLICT if that short code is
 * assigned on a domain that is proved, 412 PRECONDITION_FAILED for another version than
 * `ifVersion`, and 400 VALIDATION_ERROR for an unknown folder.
 */
export async function updateWaitingCode(
  db: Database,
  key: QrCodeKey,
  {
    origin,
    nowMs,
    ifVersion,
    shortCode,
    ...changes
  }: Change & QrCodeChanges & { shortCode?: string | undefined },
): Promise<WaitingQrCode | undefined> {
  const { organizationId, id } = key
  return inTransaction(db, async (tx) => {
    const found = await readWaitingCode(tx, key)
    if (found === undefined) return undefined
    const { row: before, codes, isProved } = found
    requireVersion(before, ifVersion)
    const { folderId } = changes
    if (
      typeof folderId === 'string' &&
      !(await findAndLockFolders(tx, organizationId, [folderId])).has(folderId)
    )
      throw noSuchFolder(folderId)
    const merged = mergeQrCode(before, changes, { origin, nowMs })
    const isRenamed = shortCode !== undefined && shortCode !== before.shortCode
    const fields = [...changedFields(before, merged), ...(isRenamed ? ['shortCode'] : [])]
    if (fields.length === 0) return before
    const named = { ...merged, shortCode: shortCode ?? before.shortCode }
    const after = { ...named, codeKey: codeKey({ ...named, codes }), isLost: before.isLost && !isRenamed }
    // On a name that the organization has not proved, it does not learn what others have there.
    if (isRenamed && isProved && (await takenCodeKeys(tx, [after.codeKey], organizationId)).size > 0)
      throw conflictIn('shortCode', shortCodeTaken(shortCode))
    const { numUpdatedRows } = await tx.kysely
      .updateTable('waiting_qr_codes')
      .set({
        ...changeableColumns(after),
        short_code: after.shortCode,
        canonical_code: after.codeKey,
        tags: JSON.stringify(after.tags),
        scan_count: after.scanCount,
        ...(isRenamed && { lost_at_ms: null }),
      })
      .where('organization_id', '=', organizationId)
      .where('id', '=', id)
      .where('version', '=', before.version)
      .modifyEnd(tag('catalogue.updateWaitingCode'))
      .executeTakeFirst()
    // A job may make a code of it at this moment.
    if (numUpdatedRows === 0n) throw new ApiError(409, 'CONFLICT', problem('codeChangedMeanwhile'))
    await saveSupersededVersions(tx, [{ before, after }], 'waiting_qr_code_history')
    await recordAudit(tx, organizationId, [
      { action: 'qr-code.update', target: { id, name: after.name }, fields, origin, nowMs },
    ])
    return after
  })
}

/**
 * Deletes a code that waits for good: it has nothing that a bin could keep. Returns false if it
 * does not wait (any more). Throws ApiError 412 PRECONDITION_FAILED as above.
 */
export async function deleteWaitingCode(
  db: Database,
  key: QrCodeKey,
  { origin, nowMs, ifVersion }: Change,
): Promise<boolean> {
  const { organizationId, id } = key
  return inTransaction(db, async (tx) => {
    const found = await readWaitingCode(tx, key)
    if (found === undefined) return false
    requireVersion(found.row, ifVersion)
    const { numDeletedRows } = await tx.kysely
      .deleteFrom('waiting_qr_codes')
      .where('organization_id', '=', organizationId)
      .where('id', '=', id)
      .modifyEnd(tag('catalogue.deleteWaitingCode'))
      .executeTakeFirst()
    if (numDeletedRows === 0n) return false
    await recordAudit(tx, organizationId, [
      { action: 'qr-code.delete', target: { id, name: found.row.name }, origin, nowMs },
    ])
    return true
  })
}
