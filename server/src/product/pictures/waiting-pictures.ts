import type { QrCodeKey } from '../../catalogue/codes/qr-codes.ts'
import { readWaitingCode } from '../../catalogue/waiting/change-waiting-codes.ts'
import type { Database } from '../../db/database.ts'
import { ApiError } from '../../errors.ts'

/** Throws ApiError 409 if a code waits: its print would not work. */
export async function refuseWaitingPicture(db: Database, key: QrCodeKey): Promise<undefined> {
  const found = await readWaitingCode(db, key)
  if (found === undefined) return undefined
  const { row } = found
  const message = row.isLost
    ? `The QR code has no picture: another code has the short code "${row.shortCode}" on "${row.domain}". Choose another short code first.`
    : `The QR code has no picture yet: it waits for the proof of "${row.domain}", and a print would not work.`
  throw new ApiError(409, 'CONFLICT', message)
}
