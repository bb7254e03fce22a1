import { sql } from 'kysely'
import { tag, type Database } from '../../db/database.ts'
import { insertRows, isOneOf } from '../../db/dialects/row-sets.ts'
import { parseQrCode, qrCodeColumns } from '../codes/qr-code-rows.ts'
import { qrCodeColumnsOf } from '../codes/qr-code-writes.ts'
import type { QrCodeRow } from '../rows/qr-code-row.ts'

// Codes that wait until their organization has proved their host name. They answer nothing, claim
// no short code and are in no other list, count or figure: see record 92.

/** A code that waits. It is lost if another code has its short code on the host name by now. */
export type WaitingQrCode = QrCodeRow & { isLost: boolean }

/** Stores codes on host names that are not proved yet. */
export async function insertWaitingCodes(tx: Database, rows: readonly QrCodeRow[]): Promise<void> {
  await insertRows(tx, 'waiting_qr_codes', {
    rows: rows.map((row) => ({
      ...qrCodeColumnsOf(row),
      domain_id: row.domainId ?? '',
      hostname: row.domain,
      short_code: row.shortCode,
      tags: JSON.stringify(row.tags),
      scan_count: row.scanCount,
    })),
  })
}

/** Returns the host names of those of the codes that wait, by id. */
export async function findWaitingCodes(
  db: Database,
  organizationId: string,
  ids: readonly string[],
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db.kysely
    .selectFrom('waiting_qr_codes')
    .select(['id', 'hostname'])
    .where('organization_id', '=', organizationId)
    .where(isOneOf(db, 'id', [...new Set(ids)]))
    .modifyEnd(tag('catalogue.findWaitingCodes'))
    .execute()
  return new Map(rows.map(({ id, hostname }) => [id, hostname]))
}

/** Returns which of these keys of codes wait already, without those that are lost. */
export async function waitingCodeKeys(
  db: Database,
  organizationId: string,
  keys: readonly string[],
): Promise<Set<string>> {
  const rows = await db.kysely
    .selectFrom('waiting_qr_codes')
    .select('canonical_code')
    .where('organization_id', '=', organizationId)
    .where(isOneOf(db, 'canonical_code', keys))
    .where('lost_at_ms', 'is', null)
    .modifyEnd(tag('catalogue.waitingCodeKeys'))
    .execute()
  return new Set(rows.map((row) => row.canonical_code))
}

export function selectWaiting(db: Database, organizationId: string) {
  return (
    db.kysely
      .selectFrom('waiting_qr_codes as q')
      // `qrCodeColumns` reads the short code of a table beside: here it is the same row.
      .innerJoin('waiting_qr_codes as s', (join) =>
        join.onRef('s.organization_id', '=', 'q.organization_id').onRef('s.id', '=', 'q.id'),
      )
      .where('q.organization_id', '=', organizationId)
  )
}

export function selectWaitingColumns(query: ReturnType<typeof selectWaiting>) {
  return query.select([
    ...qrCodeColumns,
    sql<number>`0`.as('totalScans'),
    sql<number>`0`.as('uniqueScans'),
    'q.scan_count as scanCount',
    'q.tags',
    'q.lost_at_ms as lostAtMs',
  ])
}

export function parseWaiting({
  tags,
  lostAtMs,
  ...row
}: Awaited<ReturnType<ReturnType<typeof selectWaitingColumns>['execute']>>[number]): WaitingQrCode {
  return { ...parseQrCode(row, JSON.parse(tags)), isLost: lostAtMs !== null }
}

/** Returns a page of the codes of an organization that wait or are lost, by id, and the total. */
export async function listWaitingCodes(
  db: Database,
  organizationId: string,
  { page, limit, domainId }: { page: number; limit: number; domainId?: string | undefined },
): Promise<{ rows: WaitingQrCode[]; total: number }> {
  let matching = selectWaiting(db, organizationId)
  if (domainId !== undefined) matching = matching.where('q.domain_id', '=', domainId)
  const { total } = await matching
    .select((select) => select.fn.countAll<number | string>().as('total'))
    .modifyEnd(tag('catalogue.countWaitingCodes'))
    .executeTakeFirstOrThrow()
  const rows = await selectWaitingColumns(matching)
    .orderBy('q.id', 'desc')
    .limit(limit)
    .offset((page - 1) * limit)
    .modifyEnd(tag('catalogue.listWaitingCodes'))
    .execute()
  return { rows: rows.map(parseWaiting), total: Number(total) }
}

/** Yields all codes of an organization that wait or are lost in pages, oldest first. */
export async function* eachWaitingPage(
  db: Database,
  organizationId: string,
): AsyncGenerator<QrCodeRow[], void, undefined> {
  for (let after = '', read = codesPerPage; read === codesPerPage;) {
    const selected = await selectWaitingColumns(selectWaiting(db, organizationId))
      .where('q.id', '>', after)
      .orderBy('q.id')
      .limit(codesPerPage)
      .modifyEnd(tag('catalogue.eachWaitingPage'))
      .execute()
    yield selected.map(parseWaiting)
    read = selected.length
    after = selected.at(-1)?.id ?? after
  }
}

/** A style can contain a picture of 700 kB: this many of the largest codes fit into memory. */
const codesPerPage = 100

/** Deletes the codes that wait for a host name, and their hits. Returns the number of codes. */
export async function deleteWaitingCodes(
  tx: Database,
  { organizationId, hostname }: { organizationId: string; hostname: string },
): Promise<number> {
  await tx.kysely
    .deleteFrom('waiting_hits')
    .where('organization_id', '=', organizationId)
    .where('hostname', '=', hostname)
    .modifyEnd(tag('catalogue.deleteWaitingHits'))
    .execute()
  const { numDeletedRows } = await tx.kysely
    .deleteFrom('waiting_qr_codes')
    .where('organization_id', '=', organizationId)
    .where('hostname', '=', hostname)
    .modifyEnd(tag('catalogue.deleteWaitingCodes'))
    .executeTakeFirst()
  return Number(numDeletedRows)
}
