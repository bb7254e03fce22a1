import type { Actor } from '@everscan/contract/resources/actors.ts'
import type { HistoryField } from '@everscan/contract/resources/qr-code-history.ts'
import type { QrCodeType } from '@everscan/contract/code-types/qr-code-data.ts'
import type { Metadata, QrCodeStatus } from '@everscan/contract/resources/qr-codes.ts'
import type { Scannability, Style } from '@everscan/contract/resources/styles.ts'

/** How a code's picture is drawn, kept so that it is drawn the same for ever. */
export type Picture = {
  /** QR version, 1 to 40. */
  version: number
  /** QR mask, 0 to 7. */
  mask: number
}

/** Where a version of a code stands in its history: what it changed, when, and who did it. */
export type VersionMark = {
  /** From 1, without gaps. */
  version: number
  changed: readonly HistoryField[]
  changedAtMs: number
  changedBy: Actor
}

/** A code as the catalogue has it; the API adds what goes by the public address. */
export type QrCodeRow = {
  organizationId: string
  id: string
  type: QrCodeType
  name: string
  shortCode: string
  data: Record<string, unknown>
  style: Style
  metadata: Metadata
  status: QrCodeStatus
  folderId: string | null
  tags: string[]
  picture: Picture
  /** What came of reading the picture back; null: an older release made it, and did not. */
  scannability: Scannability | null
  totalScans: number
  uniqueScans: number
  /** Counts changes from 1; scans are none. */
  version: number
  /** The version that its content is. */
  history: VersionMark
  createdAtMs: number
  updatedAtMs: number
}
