import { sql } from 'kysely'
import { inTransaction, tag, type Database } from '../database.ts'
import { insertRows, rowsAsTable } from '../dialects/row-sets.ts'

/** Hits of every class that a writer has on one day (UTC, days since 1970). */
export type DayHits = { writer: string; day: number; hits: number }

const dayMs = 86_400_000

export function dayOf(timeMs: number): number {
  return Math.floor(timeMs / dayMs)
}

/** Adds the hits of a batch, in the transaction that settles it. */
export async function addScanDays(tx: Database, rows: readonly DayHits[]): Promise<void> {
  if (rows.length === 0) return
  await sql`/* db.addScanDays */
    insert into scan_days (writer, day, hits)
    select r.writer, r.day, r.hits from ${rowsAsTable(tx, 'scan_days', rows)} where true
    on conflict (writer, day) do update set hits = scan_days.hits + excluded.hits`.execute(tx.kysely)
}

export async function readScanDays(db: Database): Promise<DayHits[]> {
  return db.kysely
    .selectFrom('scan_days')
    .select(['writer', 'day', 'hits'])
    .modifyEnd(tag('db.readScanDays'))
    .execute()
}

/** Whether the scan store ever got scans, as far as the catalogue knows. */
export async function hasScanDays(db: Database): Promise<boolean> {
  const row = await db.kysely.selectFrom('scan_days').select('day').limit(1).executeTakeFirst()
  return row !== undefined
}

/** Sets the hits of days; 0 deletes the day. */
export async function setScanDays(tx: Database, days: readonly DayHits[]): Promise<void> {
  if (days.length === 0) return
  const rows = days.map(({ writer, day, hits }) => ({ writer, day, hits }))
  await sql`/* db.setScanDays */
    delete from scan_days
    where exists (
      select 1 from ${rowsAsTable(tx, 'scan_days', rows)}
      where r.writer = scan_days.writer and r.day = scan_days.day)`.execute(tx.kysely)
  await insertRows(tx, 'scan_days', { rows: rows.filter(({ hits }) => hits > 0) })
}

/**
 * Deletes the days before this day, whose scans the retention has deleted, and adds their hits to
 * those that it has deleted so far.
 */
export async function deleteScanDaysBefore(db: Database, day: number): Promise<void> {
  await inTransaction(db, async (tx) => {
    for (const table of ['scan_days', 'scan_losses'] as const) {
      await sql`/* db.deleteScanDaysBefore */
        update scan_retention set deleted_hits = deleted_hits
          + (select cast(coalesce(sum(hits), 0) as bigint) from ${sql.table(table)} where day < ${day})`.execute(
        tx.kysely,
      )
      await tx.kysely
        .deleteFrom(table)
        .where('day', '<', day)
        .modifyEnd(tag('db.deleteScanDaysBefore'))
        .execute()
    }
  })
}
