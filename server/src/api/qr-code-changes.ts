import type { UpdateQrCode } from '@everscan/contract/qr-codes.ts'
import { mergeStyle } from '@everscan/contract/styles.ts'
import type { QrCodeChanges } from '../catalogue/qr-code-merging.ts'
import type { QrCodeRow } from '../catalogue/qr-code-rows.ts'
import { type QrCodeKey, readQrCode, updateQrCode } from '../catalogue/qr-codes.ts'
import { ApiError } from '../errors.ts'
import type { ApiContext } from './endpoint.ts'
import { checkData } from './qr-code-checks.ts'
import { ifMatchHoldsFor, pictureOf, shortUrlOf } from './qr-code-records.ts'
import { checkScannable } from './scannability.ts'

const attemptsMax = 20

/**
 * Changes a code, or gives undefined when there is none. What may be changed depends on what is there (its type, the rest
 * of its style), so the version that was looked at is the version that is written; when another change came between, the
 * look is taken again.
 */
export async function changeQrCode(
  { db, config, clock }: ApiContext,
  key: QrCodeKey,
  { changes, ifMatch }: { changes: UpdateQrCode; ifMatch: string | undefined },
): Promise<QrCodeRow | undefined> {
  for (let attempt = 1; attempt <= attemptsMax; attempt++) {
    const before = await readQrCode(db, key)
    if (before === undefined) return undefined
    requireMatch(before, ifMatch)
    const planned = plannedChanges(before, changes, config.publicUrl)
    try {
      return await updateQrCode(db, key, { ...planned, ifVersion: before.version, nowMs: clock() })
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 412)) throw error
    }
  }
  throw changesTooOften()
}

/** What is to change of a code as it is. Throws ApiError 400 or 422 for what the schema cannot say. */
export function plannedChanges(before: QrCodeRow, changes: UpdateQrCode, publicUrl: string): QrCodeChanges {
  const { data, style } = changes
  if (data !== undefined) checkData(before.type, data, publicUrl)
  return { ...changes, picture: style === undefined ? undefined : restyled(before, style, publicUrl) }
}

export function changesTooOften(): ApiError {
  return new ApiError(409, 'CONFLICT', 'The QR code is being changed by others all the time. Try again.')
}

/** Throws 412 when `If-Match` names another version than this. */
export function requireMatch(row: QrCodeRow, ifMatch: string | undefined): void {
  if (ifMatchHoldsFor(ifMatch, row)) return
  throw new ApiError(
    412,
    'PRECONDITION_FAILED',
    'The QR code was changed since the version that If-Match names. Read it again.',
  )
}

function restyled(before: QrCodeRow, changes: NonNullable<UpdateQrCode['style']>, publicUrl: string) {
  const style = mergeStyle(before.style, changes)
  checkScannable(style)
  return pictureOf(shortUrlOf(before.shortCode, publicUrl), style, before.picture)
}
