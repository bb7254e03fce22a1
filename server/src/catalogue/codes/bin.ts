import type { Actor } from '@everscan/contract/resources/actors.ts'
import { sql, type SqlBool } from 'kysely'
import { forUpdate, inTransaction, tag, type Database } from '../../db/database.ts'
import { containsLiterally } from '../../db/dialects/like-pattern.ts'
import { insertRows, isOneOf } from '../../db/dialects/row-sets.ts'
import { recordAudit } from '../ledger/audit-log.ts'
import type { ChangeOrigin } from '../rows/change-origins.ts'
import type { BinnedQrCodeRow, QrCodeRow } from '../rows/qr-code-row.ts'
import { findAndLockFolders } from './folders.ts'
import { parseQrCode, qrCodeColumns } from './qr-code-rows.ts'
import { insertQrCodeRows, qrCodeColumnsOf } from './qr-code-writes.ts'
import type { ApiError } from '../../errors.ts'
import { noticesOf, onNotice } from '../domains/domain-notices.ts'
import { recordQrCodeChanges } from './record-qr-code-changes.ts'
import { wordsOfName } from './search-words.ts'

/** The codes of a change, by whom and when. */
type BinChange = { ids: readonly string[]; origin: ChangeOrigin; nowMs?: number }

const historyColumns = sql.join(
  [
    'organization_id',
    'qr_code_id',
    'version',
    'name',
    'data',
    'rules',
    'pass_query',
    'access',
    'style',
    'status',
    'changed',
    'changed_at_ms',
    'changed_by',
  ].map((column) => sql.ref(column)),
)

/** Keeps codes and their histories for a restoration; the caller then deletes them. */
export async function putInBin(
  tx: Database,
  organizationId: string,
  {
    states,
    by,
    nowMs,
    restorableUntilMs,
  }: { states: readonly QrCodeRow[]; by: Actor; nowMs: number; restorableUntilMs: number },
): Promise<void> {
  await insertRows(tx, 'binned_qr_codes', {
    rows: states.map((row) => ({
      ...qrCodeColumnsOf(row),
      tags: JSON.stringify(row.tags),
      total_scans: row.totalScans,
      unique_scans: row.uniqueScans,
      scan_count: row.scanCount,
      deleted_at_ms: nowMs,
      deleted_by: JSON.stringify(by),
      restorable_until_ms: restorableUntilMs,
    })),
  })
  const ids = states.map(({ id }) => id)
  await copyHistory(tx, organizationId, { ids, from: 'qr_code_history', to: 'binned_qr_code_history' })
}

/**
 * Returns a page of the deleted codes that can be restored, last deleted first, and the total of
 * matches. `search` has words of the name.
 */
export async function listBin(
  db: Database,
  organizationId: string,
  {
    page,
    limit,
    search = '',
    nowMs,
  }: { page: number; limit: number; search?: string | undefined; nowMs: number },
): Promise<{ rows: BinnedQrCodeRow[]; total: number }> {
  let matching = selectBinned(db, organizationId, nowMs)
  for (const { text, olderText } of wordsOfName(search))
    matching = matching.where(sql<SqlBool>`(
      (q.search_version = q.version and q.name_folded like ${containsLiterally(text)} escape '\\')
      or (q.search_version <> q.version and q.name_search like ${containsLiterally(olderText)} escape '\\')
    )`)
  const { total } = await matching
    .select((select) => select.fn.countAll<number | string>().as('total'))
    .modifyEnd(tag('catalogue.countBin'))
    .executeTakeFirstOrThrow()
  const rows = await selectColumns(matching)
    .orderBy('q.deleted_at_ms', 'desc')
    .orderBy('q.id', 'desc')
    .limit(limit)
    .offset((page - 1) * limit)
    .modifyEnd(tag('catalogue.listBin'))
    .execute()
  return { rows: rows.map(parseBinned), total: Number(total) }
}

/**
 * Restores deleted codes with their short codes, tags, histories and scans. A code whose folder
 * was deleted is then in no folder. Returns the outcome of each by id: the code, or the ApiError
 * 409 DOMAIN_ON_NOTICE. The map omits codes that are not in the bin, or no longer.
 */
export async function restoreQrCodes(
  db: Database,
  organizationId: string,
  { ids, origin, nowMs = Date.now() }: BinChange,
): Promise<Map<string, QrCodeRow | ApiError>> {
  return inTransaction(db, async (tx) => {
    const found = await lockBinned(tx, organizationId, { ids, nowMs })
    const domainIds = found.map(({ code }) => code.domainId)
    const notices = await noticesOf(tx, organizationId, domainIds)
    const refused = found.flatMap(({ code }) => {
      const endsAtMs = notices.get(code.domainId ?? '')
      return endsAtMs === undefined ? [] : [[code.id, onNotice(code.domain, endsAtMs)] as const]
    })
    const binned = found.filter(({ code }) => !notices.has(code.domainId ?? ''))
    if (binned.length === 0) return new Map(refused)
    const folders = await findAndLockFolders(
      tx,
      organizationId,
      binned.flatMap(({ code }) => code.folderId ?? []),
    )
    const rows = binned.map(({ code }) => ({
      ...code,
      folderId: code.folderId !== null && folders.has(code.folderId) ? code.folderId : null,
      // A client that read the code before its deletion must not overwrite it unawares.
      version: code.version + 1,
      updatedAtMs: Math.max(nowMs, code.updatedAtMs),
    }))
    const restored = rows.map(({ id }) => id)
    await tx.kysely
      .updateTable('short_codes')
      .set({ deleted_at_ms: null })
      .where(
        isOneOf(
          tx,
          'canonical_code',
          rows.map((row) => row.codeKey),
        ),
      )
      .execute()
    await insertQrCodeRows(tx, rows, { restoredAtMs: nowMs })
    await copyHistory(tx, organizationId, {
      ids: restored,
      from: 'binned_qr_code_history',
      to: 'qr_code_history',
    })
    await deleteBinned(tx, organizationId, restored)
    await recordQrCodeChanges(
      tx,
      organizationId,
      rows.map((after) => ({ after, origin, nowMs, action: 'qr-code.restore' as const })),
    )
    return new Map<string, QrCodeRow | ApiError>([...refused, ...rows.map((row) => [row.id, row] as const)])
  })
}

/** Deletes codes in the bin for good. Returns the ids of those that were there. */
export async function purgeQrCodes(
  db: Database,
  organizationId: string,
  { ids, origin, nowMs = Date.now() }: BinChange,
): Promise<Set<string>> {
  return inTransaction(db, async (tx) => {
    const binned = await lockBinned(tx, organizationId, { ids, nowMs })
    const purged = binned.map(({ code }) => code.id)
    await deleteBinned(tx, organizationId, purged)
    await recordAudit(
      tx,
      organizationId,
      binned.map(({ code: { id, name } }) => ({
        action: 'qr-code.purge',
        target: { id, name },
        origin,
        nowMs,
      })),
    )
    return new Set(purged)
  })
}

/** Codes deleted per transaction, which blocks all other writers on SQLite. */
const purgedAtOnceMax = 500

/**
 * Deletes the codes of all organizations that can no longer be restored. Returns their number. The
 * audit logs have the deletions already.
 */
export async function purgeExpiredQrCodes(db: Database, nowMs: number): Promise<number> {
  for (let purged = 0; ;) {
    const { numDeletedRows } = await db.kysely
      .deleteFrom('binned_qr_codes')
      .where('restorable_until_ms', '<=', nowMs)
      .where('canonical_code', 'in', (select) =>
        select
          .selectFrom('binned_qr_codes as expired')
          .select('expired.canonical_code')
          .where('expired.restorable_until_ms', '<=', nowMs)
          .limit(purgedAtOnceMax),
      )
      .modifyEnd(tag('catalogue.purgeExpiredQrCodes'))
      .executeTakeFirst()
    purged += Number(numDeletedRows)
    if (numDeletedRows < BigInt(purgedAtOnceMax)) return purged
  }
}

function selectBinned(db: Database, organizationId: string, nowMs: number) {
  return db.kysely
    .selectFrom('binned_qr_codes as q')
    .innerJoin('short_codes as s', 's.canonical_code', 'q.canonical_code')
    .where('q.organization_id', '=', organizationId)
    .where('q.restorable_until_ms', '>', nowMs)
}

function selectColumns(query: ReturnType<typeof selectBinned>) {
  return query.select([
    ...qrCodeColumns,
    'q.total_scans as totalScans',
    'q.unique_scans as uniqueScans',
    'q.scan_count as scanCount',
    'q.tags',
    'q.deleted_at_ms as deletedAtMs',
    'q.deleted_by as deletedBy',
    'q.restorable_until_ms as restorableUntilMs',
  ])
}

function parseBinned({
  tags,
  deletedAtMs,
  deletedBy,
  restorableUntilMs,
  ...row
}: Awaited<ReturnType<ReturnType<typeof selectColumns>['execute']>>[number]): BinnedQrCodeRow {
  return {
    code: parseQrCode(row, JSON.parse(tags)),
    deletedAtMs,
    deletedBy: JSON.parse(deletedBy),
    restorableUntilMs,
  }
}

async function lockBinned(
  tx: Database,
  organizationId: string,
  { ids, nowMs }: { ids: readonly string[]; nowMs: number },
): Promise<BinnedQrCodeRow[]> {
  const locked = await tx.kysely
    .selectFrom('binned_qr_codes')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where(isOneOf(tx, 'id', ids))
    .orderBy('id')
    .modifyEnd(forUpdate(tx))
    .execute()
  const rows = await selectColumns(selectBinned(tx, organizationId, nowMs))
    .where(
      isOneOf(
        tx,
        'q.id',
        locked.map(({ id }) => id),
      ),
    )
    .orderBy('q.id')
    .execute()
  return rows.map(parseBinned)
}

async function deleteBinned(tx: Database, organizationId: string, ids: readonly string[]): Promise<void> {
  await tx.kysely
    .deleteFrom('binned_qr_codes')
    .where('organization_id', '=', organizationId)
    .where(isOneOf(tx, 'id', ids))
    .modifyEnd(tag('catalogue.deleteBinned'))
    .execute()
}

type HistoryTable = 'qr_code_history' | 'binned_qr_code_history' | 'waiting_qr_code_history'

/** Copies the older versions of codes that move from one table to another. */
export async function copyHistory(
  tx: Database,
  organizationId: string,
  { ids, from, to }: { ids: readonly string[]; from: HistoryTable; to: HistoryTable },
): Promise<void> {
  await sql`/* catalogue.copyHistory */
    insert into ${sql.table(to)} (${historyColumns})
    select ${historyColumns}
    from ${sql.table(from)}
    where organization_id = ${organizationId} and ${isOneOf(tx, 'qr_code_id', ids)}`.execute(tx.kysely)
}
