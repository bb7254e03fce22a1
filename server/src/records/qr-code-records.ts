import type { QrCode } from '@everscan/contract/resources/qr-codes.ts'
import type { Scannability, Style } from '@everscan/contract/resources/styles.ts'
import { leastContrast } from '@everscan/qr/drawing/contrast.ts'
import { pictureDefaults } from '@everscan/qr/picture.ts'
import type { Picture, QrCodeRow } from '../catalogue/rows/qr-code-row.ts'
import { minPrint } from '@everscan/qr/reading/min-print.ts'
import { timestamp } from './timestamps.ts'

/** A code as the API returns it: the stored row and the addresses below the public URL. */
export function qrCodeRecord(row: QrCodeRow, publicUrl: string): QrCode {
  const { id, type, name, shortCode, data, passQuery, style, status, folderId, tags, metadata } = row
  return {
    id,
    type,
    name,
    shortUrl: shortUrlOf(shortCode, publicUrl),
    shortCode,
    imageUrl: `${publicUrl}${qrCodePath(row)}/download`,
    data,
    // An event of an earlier release has none.
    rules: row.rules ?? [],
    passQuery: passQuery ?? false,
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

export function shortUrlOf(shortCode: string, publicUrl: string): string {
  return `${publicUrl}/${shortCode}`
}

/**
 * The result for a code that an older release created: it claims no check that was not made. A
 * change of its style runs the check.
 */
function unchecked(style: Style, picture: Picture): Scannability {
  const width = 17 + 4 * picture.version + 2 * (style.margin ?? pictureDefaults.marginModules)
  return {
    verified: false,
    contrast: leastContrast(style),
    ...minPrint({ width }),
    warnings: ['The picture was created before pictures were verified.'],
  }
}
