import { crc32 } from 'node:zlib'
import { stateOf } from '@everscan/contract/access/access.ts'
import type { QrCodeRow } from '../../catalogue/rows/qr-code-row.ts'
import { ifMatchHolds } from './etags.ts'

/**
 * The entity tag of a record with all its fields, including its scans. Its first part alone
 * identifies what a client can change.
 */
export function qrCodeEtag(row: QrCodeRow, publicUrl: string): string {
  const { totalScans, uniqueScans, access, scanCount } = row
  // The state follows the clock and the count, without a change of the code.
  const state = access === null ? '' : `.${stateOf(row, Date.now())}.${scanCount}`
  return `"${versionOf(row)}.${totalScans}.${uniqueScans}${state}.${crc32(publicUrl).toString(36)}"`
}

/** Whether an `If-Match` matches a code. Scans since then do not matter: they are not changes. */
export function ifMatchHoldsFor(header: string | undefined, row: QrCodeRow): boolean {
  return ifMatchHolds(header, (tag) => tag.startsWith(`"${versionOf(row)}.`))
}

function versionOf({ id, version }: QrCodeRow): string {
  return `${id}.${version}`
}
