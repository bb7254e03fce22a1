import type { DeletedQrCode } from '@everscan/contract/resources/qr-codes.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import { timestamp } from '../records/timestamps.ts'

/** Returns until when a code can be restored that is moved to the bin at `nowMs`. */
export function binEndMs(nowMs: number): number {
  return nowMs + limits.binDays * 86_400_000
}

/** The response to a deletion; with `restorableUntilMs`, the code lies in the bin. */
export function deletedRecord(id: string, restorableUntilMs: number | undefined): DeletedQrCode {
  if (restorableUntilMs === undefined) return { id, deleted: true }
  return { id, deleted: true, restorableUntil: timestamp(restorableUntilMs) }
}
