import type { DeletedQrCode, QrCode, UpdateQrCode } from '@everscan/contract/resources/qr-codes.ts'
import { mergeStyle } from '@everscan/contract/resources/styles.ts'
import { pictureOf } from '@everscan/qr/shapes/encodings.ts'
import type { QrCodeKey } from '../../catalogue/codes/qr-codes.ts'
import type { ChangeOrigin } from '../../catalogue/rows/change-origins.ts'
import {
  deleteWaitingCode,
  readWaitingCode,
  updateWaitingCode,
} from '../../catalogue/waiting/change-waiting-codes.ts'
import type { WaitingQrCode } from '../../catalogue/waiting/waiting-codes.ts'
import { qrCodeRecord, shortUrlOf } from '../records/qr-code-records.ts'
import type { ProductContext } from '../product-context.ts'
import { acceptQrCodeStyle } from '../styles/qr-code-styles.ts'
import { styleLookup } from '../styles/style-lookup.ts'
import { createHashOf } from './accept-access.ts'
import { plannedChanges, requireMatch, requireRepeated } from './changes.ts'
import { checkShortCode } from './checks.ts'

/** Returns a code that waits as lists and answers show it. */
export function waitingRecord(row: WaitingQrCode, publicUrl: string, nowMs: number): QrCode {
  return {
    ...qrCodeRecord(row, publicUrl, nowMs),
    waiting: true as const,
    ...(row.isLost && { lost: true as const }),
  }
}

/**
 * Changes a code that waits, through the same checks as any other, and returns it, or undefined if
 * there is none. Its short code may change: it claims none yet.
 */
export async function changeWaitingCode(
  { db, config: { publicUrl }, clock, work }: ProductContext,
  key: QrCodeKey,
  { changes, origin, ifMatch }: { changes: UpdateQrCode; origin: ChangeOrigin; ifMatch: string | undefined },
): Promise<WaitingQrCode | undefined> {
  const found = await readWaitingCode(db, key)
  if (found === undefined) return undefined
  const { row: before, codes } = found
  requireMatch(before, ifMatch)
  const { shortCode = before.shortCode, ...others } = changes
  const updates = requireRepeated(before, others)
  const around = {
    publicUrl,
    styleOf: styleLookup(db, key.organizationId),
    work,
    hashOf: createHashOf(key.organizationId),
  }
  const planned = await plannedChanges(before, updates, around)
  const how = { origin, ifVersion: before.version, nowMs: clock() }
  if (shortCode === before.shortCode) return updateWaitingCode(db, key, { ...planned, ...how })
  checkShortCode(shortCode, codes)
  const { domain } = before
  const wanted = mergeStyle(before.style, planned.style ?? {})
  const { style, scannability } = await acceptQrCodeStyle(wanted, {
    shortCode,
    domain,
    publicUrl,
    storedStyles: [before.style],
    work,
  })
  const picture = pictureOf(shortUrlOf({ shortCode, domain }, publicUrl), style)
  return updateWaitingCode(db, key, { ...planned, ...how, shortCode, picture, scannability })
}

/** Deletes a code that waits, or returns undefined if there is none. */
export async function removeWaitingCode(
  { db, clock }: Pick<ProductContext, 'db' | 'clock'>,
  key: QrCodeKey,
  { origin, ifMatch }: { origin: ChangeOrigin; ifMatch: string | undefined },
): Promise<DeletedQrCode | undefined> {
  const found = ifMatch === undefined ? undefined : await readWaitingCode(db, key)
  if (found !== undefined) requireMatch(found.row, ifMatch)
  const how = { origin, ifVersion: found?.row.version, nowMs: clock() }
  return (await deleteWaitingCode(db, key, how)) ? { id: key.id, deleted: true } : undefined
}
