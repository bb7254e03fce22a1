import { codeKey } from '@everscan/contract/resources/short-codes.ts'
import { tag, type Database } from '../database.ts'
import { insertRows, isOneOf } from '../dialects/row-sets.ts'
import { fixCodeForms } from './host-forms.ts'

/** A code as the journal or the scan store knows it: `shortCode` is that of the lookup. */
export type KnownCode = { organizationId: string; qrCodeId: string; shortCode?: string; domain?: string }

/**
 * Returns at most `limit` reserved short codes, newest first, and their number. A deleted code
 * differs: it is older than its deletion.
 */
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
 * Reserves short codes that the catalogue never assigned: they were printed, and then an older copy
 * of the catalogue was restored. They respond like deleted codes and are never assigned again.
 * Returns the newly reserved ones. Codes that wait for a host name reserve nothing there: it is not
 * their organization's, and a journal may have scans of them from before an upgrade.
 */
export async function reserveShortCodes(
  tx: Database,
  codes: readonly KnownCode[],
): Promise<readonly string[]> {
  const nowMs = Date.now()
  const waiting = await waitingAmong(tx, codes)
  const known = codes.filter(({ organizationId, qrCodeId }) => !waiting.has(`${organizationId} ${qrCodeId}`))
  const rows = known.flatMap(({ organizationId, qrCodeId, shortCode = '', domain = '' }) =>
    shortCode === ''
      ? []
      : [
          {
            // On a domain it may be an exact one, which looks up as written.
            canonical_code: codeKey({ shortCode, domain, codes: 'exact' }),
            short_code: shortCode,
            organization_id: organizationId,
            qr_code_id: qrCodeId,
            created_at_ms: nowMs,
            deleted_at_ms: nowMs,
          },
        ],
  )
  const hosts = known.flatMap(({ domain = '' }) => (domain === '' ? [] : [domain]))
  await fixCodeForms(tx, hosts)
  const reserved = await insertRows(tx, 'short_codes', { rows, skipTaken: true, returning: 'canonical_code' })
  return reserved.map(String)
}

async function waitingAmong(tx: Database, codes: readonly KnownCode[]): Promise<Set<string>> {
  const onDomains = codes.filter(({ domain = '' }) => domain !== '')
  if (onDomains.length === 0) return new Set()
  const ids = onDomains.map(({ qrCodeId }) => qrCodeId)
  const rows = await tx.kysely
    .selectFrom('waiting_qr_codes')
    .select(['organization_id', 'id'])
    .where(isOneOf(tx, 'id', ids))
    .modifyEnd(tag('db.waitingAmong'))
    .execute()
  return new Set(rows.map(({ organization_id: organizationId, id }) => `${organizationId} ${id}`))
}

/** Counts reserved short codes. Unlike deleted codes, the catalogue never had them. */
export async function countReservedCodes(db: Database): Promise<number> {
  const row = await db.kysely
    .selectFrom('short_codes')
    .select((select) => select.fn.countAll<number | string>().as('count'))
    .whereRef('created_at_ms', '=', 'deleted_at_ms')
    .modifyEnd(tag('db.countReservedCodes'))
    .executeTakeFirst()
  return Number(row?.count ?? 0)
}
