import type { Database } from '../../db/database.ts'
import { insertRows } from '../../db/dialects/row-sets.ts'
import { refreshStatistics } from '../../db/lists/statistics.ts'
import type { QrCodeRow } from '../rows/qr-code-row.ts'
import { changeableColumns } from './qr-code-merging.ts'
import { insertTags } from './tags.ts'

/** Returns the columns of a code, present or in the bin, without its tags and counters. */
export function qrCodeColumnsOf(row: QrCodeRow) {
  return {
    organization_id: row.organizationId,
    id: row.id,
    canonical_code: row.codeKey,
    domain_id: row.domainId,
    scans_before: row.scansBefore,
    limit_excesses: row.limitExcesses.length === 0 ? null : JSON.stringify(row.limitExcesses),
    type: row.type,
    created_at_ms: row.createdAtMs,
    ...changeableColumns(row),
  }
}

/**
 * Inserts codes with their tags and counters; their short codes must be assigned. With
 * `restoredAtMs`, the worker counts their scans anew.
 */
export async function insertQrCodeRows(
  tx: Database,
  rows: readonly QrCodeRow[],
  { restoredAtMs }: { restoredAtMs?: number } = {},
): Promise<void> {
  await insertRows(tx, 'qr_codes', { rows: rows.map(qrCodeColumnsOf) })
  await refreshStatistics(tx, ['qr_codes'], { rowsInserted: rows.length })
  await insertTags(tx, rows)
  await insertRows(tx, 'scan_counters', {
    rows: rows.map((row) => ({
      organization_id: row.organizationId,
      qr_code_id: row.id,
      total_scans: row.totalScans,
      unique_scans: row.uniqueScans,
      ...(restoredAtMs !== undefined && { restored_at_ms: restoredAtMs }),
    })),
  })
  await refreshStatistics(tx, ['qr_code_tags', 'scan_counters'], { rowsInserted: rows.length })
}
