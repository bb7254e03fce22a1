import type { Actor } from '@everscan/contract/resources/actors.ts'
import type { HistoryField } from '@everscan/contract/resources/qr-code-history.ts'
import type { QrCodeType } from '@everscan/contract/code-types/qr-code-data.ts'
import type { Metadata, QrCodeStatus } from '@everscan/contract/resources/qr-codes.ts'
import type { Scannability, Style } from '@everscan/contract/resources/styles.ts'
import type { Database } from '../../db/database.ts'
import { systemActor } from '../ledger/change-origins.ts'
import { readTags } from './tags.ts'

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

/** What `selectQrCodes` gives, before JSON is read and tags are added. */
export type SelectedQrCode = Omit<
  QrCodeRow,
  'data' | 'style' | 'metadata' | 'tags' | 'picture' | 'scannability' | 'history'
> & {
  data: string
  style: string
  metadata: string
  scannability: string | null
  pictureVersion: number
  pictureMask: number
  historyVersion: number
  historyChanged: string
  historyAtMs: number | null
  historyBy: string | null
}

/** The codes of an organization with their counters, to be narrowed by the caller. */
export function selectQrCodes(db: Database, organizationId: string) {
  return db.kysely
    .selectFrom('qr_codes as q')
    .innerJoin('short_codes as s', 's.canonical_code', 'q.canonical_code')
    .innerJoin('scan_counters as c', (join) =>
      join.onRef('c.organization_id', '=', 'q.organization_id').onRef('c.qr_code_id', '=', 'q.id'),
    )
    .where('q.organization_id', '=', organizationId)
    .select([
      'q.organization_id as organizationId',
      'q.id',
      'q.type',
      'q.name',
      's.short_code as shortCode',
      'q.data',
      'q.style',
      'q.metadata',
      'q.status',
      'q.folder_id as folderId',
      'q.picture_version as pictureVersion',
      'q.picture_mask as pictureMask',
      'q.scannability',
      'c.total_scans as totalScans',
      'c.unique_scans as uniqueScans',
      'q.version',
      'q.history_version as historyVersion',
      'q.history_changed as historyChanged',
      'q.history_at_ms as historyAtMs',
      'q.history_by as historyBy',
      'q.created_at_ms as createdAtMs',
      'q.updated_at_ms as updatedAtMs',
    ])
}

/** The rows with their tags, in the order given. All are of one organization. */
export async function completeQrCodes(
  db: Database,
  selected: readonly SelectedQrCode[],
): Promise<QrCodeRow[]> {
  const organizationId = selected[0]?.organizationId
  if (organizationId === undefined) return []
  const tags = await readTags(
    db,
    organizationId,
    selected.map((row) => row.id),
  )
  return selected.map((selectedRow) => {
    const { pictureVersion, pictureMask, historyVersion, historyChanged, historyAtMs, historyBy, ...row } =
      selectedRow
    return {
      ...row,
      data: JSON.parse(row.data),
      style: JSON.parse(row.style),
      metadata: JSON.parse(row.metadata),
      scannability: row.scannability === null ? null : JSON.parse(row.scannability),
      tags: tags.get(row.id) ?? [],
      picture: { version: pictureVersion, mask: pictureMask },
      history: {
        version: historyVersion,
        changed: fieldNames(historyChanged),
        changedAtMs: historyAtMs ?? row.createdAtMs,
        changedBy: historyBy === null ? systemActor : JSON.parse(historyBy),
      },
    }
  })
}

/** Names of fields as they are kept: with commas between them. */
export function fieldNames<Field extends string>(kept: string): Field[] {
  return kept === '' ? [] : (kept.split(',') as Field[])
}
