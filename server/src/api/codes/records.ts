import { crc32 } from 'node:zlib'
import type { QrCode } from '@everscan/contract/resources/qr-codes.ts'
import type { Scannability, Style } from '@everscan/contract/resources/styles.ts'
import { leastContrast } from '@everscan/qr/drawing/contrast.ts'
import { encodingOf } from '@everscan/qr/shapes/encodings.ts'
import { createMatrix } from '@everscan/qr/content/matrix.ts'
import { encodePayload } from '@everscan/qr/content/payload.ts'
import { pictureDefaults } from '@everscan/qr/picture.ts'
import type { Picture, QrCodeRow } from '../../catalogue/codes/qr-code-rows.ts'
import { ifMatchHolds } from '../http/etags.ts'
import { minPrint } from '../pictures/print-sizes.ts'
import { timestamp } from '../http/timestamps.ts'

/** A code as the interface has it: a row of the catalogue with what goes by the public address. */
export function qrCodeRecord(row: QrCodeRow, publicUrl: string): QrCode {
  const { id, type, name, shortCode, data, style, status, folderId, tags, metadata } = row
  return {
    id,
    type,
    name,
    shortUrl: shortUrlOf(shortCode, publicUrl),
    shortCode,
    imageUrl: `${publicUrl}${qrCodePath(row)}/download`,
    data,
    style,
    status,
    folderId,
    tags,
    metadata,
    totalScans: row.totalScans,
    uniqueScans: row.uniqueScans,
    scannability: row.scannability ?? unchecked(style, row.picture),
    createdAt: timestamp(row.createdAtMs),
    updatedAt: timestamp(row.updatedAtMs),
  }
}

export function qrCodePath({ organizationId, id }: { organizationId: string; id: string }): string {
  return `/api/v1/organizations/${organizationId}/qr-codes/${id}`
}

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

export function shortUrlOf(shortCode: string, publicUrl: string): string {
  return `${publicUrl}/${shortCode}`
}

/** The version and mask to keep with a code of this style: with them its modules are the same for ever. */
export function pictureOf(shortUrl: string, style: Style, kept?: Picture): Picture {
  const { version, mask } = createMatrix(encodingOf(encodePayload(shortUrl), style, kept))
  return { version, mask }
}

/** Of a code that an older release made: nothing is claimed that was not done. It is read back when its style changes. */
function unchecked(style: Style, picture: Picture): Scannability {
  const width = 17 + 4 * picture.version + 2 * (style.margin ?? pictureDefaults.marginModules)
  return {
    verified: false,
    contrast: leastContrast(style),
    ...minPrint({ width }),
    warnings: ['The picture was made before pictures were read back.'],
  }
}
