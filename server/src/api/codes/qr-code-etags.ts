import { crc32 } from 'node:zlib'
import type { QrCodeRow } from '../../catalogue/rows/qr-code-row.ts'
import { ifMatchHolds } from '../http/etags.ts'

/** Names a record with all that is in it, also its scans; the first part alone is what a client can change. */
export function qrCodeEtag(row: QrCodeRow, publicUrl: string): string {
  const { totalScans, uniqueScans } = row
  return `"${versionOf(row)}.${totalScans}.${uniqueScans}.${crc32(publicUrl).toString(36)}"`
}

/** Whether an `If-Match` holds for a code. A scan that came since does not count: it is no change. */
export function ifMatchHoldsFor(header: string | undefined, row: QrCodeRow): boolean {
  return ifMatchHolds(header, (tag) => tag.startsWith(`"${versionOf(row)}.`))
}

function versionOf({ id, version }: QrCodeRow): string {
  return `${id}.${version}`
}
