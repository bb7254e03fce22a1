import { problem } from '@everscan/contract/problems/problem.ts'
import type { QrCodeKey } from '../../catalogue/codes/qr-codes.ts'
import { readWaitingCode } from '../../catalogue/waiting/change-waiting-codes.ts'
import type { Database } from '../../db/database.ts'
import { ApiError } from '../../errors.ts'

/** Throws ApiError 409 if a code waits: its print would not work. */
export async function refuseWaitingPicture(db: Database, key: QrCodeKey): Promise<undefined> {
  const found = await readWaitingCode(db, key)
  if (found === undefined) return undefined
  const { row } = found
  const { shortCode, domain: hostname } = row
  const why = row.isLost ? problem('codeIsLost', { shortCode, hostname }) : problem('codeWaits', { hostname })
  throw new ApiError(409, 'CONFLICT', why)
}
