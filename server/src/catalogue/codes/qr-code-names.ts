import type { QrCodeType } from '@everscan/contract/code-types/code-types.ts'
import { tag, type Database } from '../../db/database.ts'

/** A code's identifiers for display. */
export type QrCodeName = { qrCodeId: string; name: string; shortCode: string; type: QrCodeType }

/**
 * Returns the names of at most 500 codes by id. The map omits codes that the organization does not
 * have.
 */
export async function readQrCodeNames(
  db: Database,
  organizationId: string,
  ids: readonly string[],
): Promise<Map<string, QrCodeName>> {
  if (ids.length === 0) return new Map()
  const rows = await db.kysely
    .selectFrom('qr_codes as q')
    .innerJoin('short_codes as s', 's.canonical_code', 'q.canonical_code')
    .select(['q.id as qrCodeId', 'q.name', 's.short_code as shortCode', 'q.type'])
    .where('q.organization_id', '=', organizationId)
    .where('q.id', 'in', ids)
    .modifyEnd(tag('catalogue.readQrCodeNames'))
    .execute()
  return new Map(rows.map((row) => [row.qrCodeId, row]))
}
