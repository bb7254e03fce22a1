import { tag, type Database } from '../database.ts'
import { insertRows } from '../dialects/row-sets.ts'

/** A code as the journal or the scan store knows it. */
export type KnownCode = { organizationId: string; qrCodeId: string; shortCode?: string; domain?: string }

/** The short codes that were reserved, newest first; at most so many. A code that was deleted is older than its deletion. */
export async function listReservedCodes(
  db: Database,
  limit: number,
): Promise<{ codes: string[]; count: number }> {
  const reserved = db.kysely
    .selectFrom('short_codes')
    .whereRef('created_at_ms', '=', 'deleted_at_ms')
    .modifyEnd(tag('db.listReservedCodes'))
  const rows = await reserved
    .select('short_code')
    .orderBy('deleted_at_ms', 'desc')
    .orderBy('canonical_code')
    .limit(limit)
    .execute()
  const all = await reserved.select((select) => select.fn.countAll<number>().as('count')).executeTakeFirst()
  return { codes: rows.map((row) => row.short_code), count: all?.count ?? 0 }
}

/**
 * Reserves short codes that were never assigned as far as the catalogue knows: they were printed, and an older copy of the catalogue
 * was put back since. They answer as deleted ones do, and are never given out again. Gives those that were reserved now.
 */
export async function reserveShortCodes(
  tx: Database,
  codes: readonly KnownCode[],
): Promise<readonly string[]> {
  const nowMs = Date.now()
  const rows = codes.flatMap(({ organizationId, qrCodeId, shortCode = '', domain = '' }) =>
    // Codes on domains of their own come with domains.
    shortCode === '' || domain !== ''
      ? []
      : [
          {
            canonical_code: shortCode,
            short_code: shortCode,
            organization_id: organizationId,
            qr_code_id: qrCodeId,
            created_at_ms: nowMs,
            deleted_at_ms: nowMs,
          },
        ],
  )
  const reserved = await insertRows(tx, 'short_codes', { rows, skipTaken: true, returning: 'canonical_code' })
  return reserved.map(String)
}

/** How many short codes are reserved: unlike those that were deleted, they were never there. */
export async function countReservedCodes(db: Database): Promise<number> {
  const row = await db.kysely
    .selectFrom('short_codes')
    .select((select) => select.fn.countAll<number | string>().as('count'))
    .whereRef('created_at_ms', '=', 'deleted_at_ms')
    .modifyEnd(tag('db.countReservedCodes'))
    .executeTakeFirst()
  return Number(row?.count ?? 0)
}
