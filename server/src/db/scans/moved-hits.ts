import { sql } from 'kysely'
import { forUpdate, tag, type Database } from '../database.ts'
import { isOneOf, rowsAsTable } from '../dialects/row-sets.ts'

/** Hits of a code that a move put into the scan store: all of them, and those that are scans. */
export type MovedHits = { organizationId: string; qrCodeId: string; hits: number; scans: number }

/** The outcomes of the visits of a move: those processed are the sum of the others. */
export type MovedVisitCounts = { processed: number; scans: number; bots: number; skipped: number }

/**
 * Takes hits out of the clicks that the product counted before, in the transaction that counts them
 * here: so no click is counted in both. A code in the bin has its counters with it.
 */
export async function takeFromScansBefore(
  tx: Database,
  moved: readonly MovedHits[],
  /** The table of the codes: hits of codes that wait are counted later. */
  table: 'qr_codes' | 'waiting_qr_codes' = 'qr_codes',
): Promise<void> {
  if (moved.length === 0) return
  // The order of other writers of many codes.
  const sorted = [...moved].sort((a, b) => (a.qrCodeId < b.qrCodeId ? -1 : 1))
  const rows = sorted.map(({ organizationId, qrCodeId, hits }) => ({
    organization_id: organizationId,
    id: qrCodeId,
    scans_before: hits,
  }))
  const codes = sql.table(table)
  await sql`/* db.takeFromScansBefore */
    update ${codes}
    set scans_before =
      case when ${codes}.scans_before > r.scans_before then ${codes}.scans_before - r.scans_before else 0 end
    from ${rowsAsTable(tx, table, rows)}
    where ${codes}.organization_id = r.organization_id and ${codes}.id = r.id`.execute(tx.kysely)
  if (table === 'waiting_qr_codes') return
  const binned = rows.map((row, index) => ({ ...row, total_scans: sorted[index]?.scans ?? 0 }))
  await sql`/* db.takeFromScansBefore */
    update binned_qr_codes
    set total_scans = binned_qr_codes.total_scans + r.total_scans, scans_before =
      case when binned_qr_codes.scans_before > r.scans_before
      then binned_qr_codes.scans_before - r.scans_before else 0 end
    from ${rowsAsTable(tx, 'binned_qr_codes', binned)}
    where binned_qr_codes.organization_id = r.organization_id and binned_qr_codes.id = r.id`.execute(
    tx.kysely,
  )
}

/** Returns which of these writers are moves. */
export async function movesAmong(db: Database, writers: readonly string[]): Promise<ReadonlySet<string>> {
  if (writers.length === 0) return new Set()
  const rows = await db.kysely
    .selectFrom('jobs')
    .select('id')
    .where(isOneOf(db, 'id', writers))
    .where('kind', '=', 'move')
    .modifyEnd(tag('db.movesAmong'))
    .execute()
  return new Set(rows.map(({ id }) => id))
}

/**
 * Adds visits to the outcomes of a move that ended before it counted them, and takes them out of
 * the clicks before. Call it in the transaction that counts them.
 */
export async function addLateVisits(tx: Database, jobId: string, hits: readonly MovedHits[]): Promise<void> {
  await takeFromScansBefore(tx, hits)
  const row = await tx.kysely
    .selectFrom('jobs')
    .select('progress')
    .where('id', '=', jobId)
    .modifyEnd(forUpdate(tx))
    .executeTakeFirst()
  if (row === undefined) return
  const progress = JSON.parse(row.progress) as { visits?: MovedVisitCounts }
  const { visits = noVisits } = progress
  const all = hits.reduce((sum, one) => sum + one.hits, 0)
  const scans = hits.reduce((sum, one) => sum + one.scans, 0)
  const counted: MovedVisitCounts = {
    ...visits,
    processed: visits.processed + all,
    scans: visits.scans + scans,
    bots: visits.bots + all - scans,
  }
  await tx.kysely
    .updateTable('jobs')
    .set({ progress: JSON.stringify({ ...progress, visits: counted }) })
    .where('id', '=', jobId)
    .modifyEnd(tag('db.addLateVisits'))
    .execute()
}

export const noVisits: MovedVisitCounts = { processed: 0, scans: 0, bots: 0, skipped: 0 }
