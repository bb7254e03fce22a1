import type { QrCode } from '@everscan/contract/resources/qr-codes.ts'
import type { Scannability, Style } from '@everscan/contract/resources/styles.ts'
import { leastContrast } from '@everscan/qr/drawing/contrast.ts'
import { pictureDefaults } from '@everscan/qr/picture.ts'
import type { Picture, QrCodeRow } from '../catalogue/rows/qr-code-row.ts'
import { minPrint } from '@everscan/qr/reading/min-print.ts'
import { timestamp } from './timestamps.ts'

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

export function shortUrlOf(shortCode: string, publicUrl: string): string {
  return `${publicUrl}/${shortCode}`
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
