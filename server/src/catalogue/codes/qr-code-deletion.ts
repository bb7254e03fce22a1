import { forUpdate, inTransaction, tag, type Database } from '../../db/database.ts'
import { isOneOf } from '../../db/dialects/row-sets.ts'
import type { ChangeOrigin } from '../rows/change-origins.ts'
import type { QrCodeRow } from '../rows/qr-code-row.ts'
import { readQrCodes } from './batches.ts'
import { putInBin } from './bin.ts'
import { requireVersion, type ChangeOptions, type QrCodeKey } from './qr-codes.ts'
import { recordQrCodeChanges } from './record-qr-code-changes.ts'
import { replaceTags } from './tags.ts'

/** With `restorableUntilMs`, the deleted codes lie in the bin until then. */
type DeletionOptions = { origin: ChangeOrigin; nowMs?: number; restorableUntilMs?: number | undefined }

/**
 * Deletes a code and returns its last state, or undefined if it does not exist. Its short code
 * stays assigned for ever, and its scans stay in the scan store. Throws ApiError 412 as
 * `updateQrCode` does.
 */
export async function deleteQrCode(
  db: Database,
  key: QrCodeKey,
  { ifVersion, ...options }: ChangeOptions & DeletionOptions,
): Promise<QrCodeRow | undefined> {
  return inTransaction(db, async (tx) => {
    const states = await lockQrCodes(tx, key.organizationId, [key.id])
    const [before] = states
    if (before === undefined) return undefined
    requireVersion(before, ifVersion)
    await remove(tx, key.organizationId, states, options)
    return before
  })
}

/**
 * Deletes many codes of an organization, as `deleteQrCode` does. Returns the ids of the deleted
 * codes.
 */
export async function deleteQrCodes(
  db: Database,
  organizationId: string,
  { ids, ...options }: DeletionOptions & { ids: readonly string[] },
): Promise<Set<string>> {
  return inTransaction(db, async (tx) => {
    const states = await lockQrCodes(tx, organizationId, ids)
    await remove(tx, organizationId, states, options)
    return new Set(states.map(({ id }) => id))
  })
}

/** Returns the codes that exist, locked until the end of the transaction. */
async function lockQrCodes(
  tx: Database,
  organizationId: string,
  ids: readonly string[],
): Promise<readonly QrCodeRow[]> {
  const rows = await tx.kysely
    .selectFrom('qr_codes')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where(isOneOf(tx, 'id', ids))
    // Every caller uses this order, so that two transactions cannot deadlock.
    .orderBy('id')
    .modifyEnd(forUpdate(tx))
    .execute()
  const found = await readQrCodes(
    tx,
    organizationId,
    rows.map(({ id }) => id),
  )
  return [...found.values()]
}

async function remove(
  tx: Database,
  organizationId: string,
  states: readonly QrCodeRow[],
  { origin, nowMs = Date.now(), restorableUntilMs }: DeletionOptions,
): Promise<void> {
  if (states.length === 0) return
  if (restorableUntilMs !== undefined)
    await putInBin(tx, organizationId, { states, by: origin.actor, nowMs, restorableUntilMs })
  const ids = states.map(({ id }) => id)
  // Removes all tags in one call: a call for each code would update the tag counts code by code.
  await replaceTags(
    tx,
    ids.map((id) => ({ organizationId, id, tags: [] })),
  )
  await tx.kysely
    .deleteFrom('qr_codes')
    .where('organization_id', '=', organizationId)
    .where(isOneOf(tx, 'id', ids))
    .modifyEnd(tag('catalogue.deleteQrCodes'))
    .execute()
  const keys = states.map((row) => row.codeKey)
  await tx.kysely
    .updateTable('short_codes')
    .set({ deleted_at_ms: nowMs })
    .where(isOneOf(tx, 'canonical_code', keys))
    .execute()
  await recordQrCodeChanges(
    tx,
    organizationId,
    states.map((before) => ({ before, origin, nowMs })),
  )
}
