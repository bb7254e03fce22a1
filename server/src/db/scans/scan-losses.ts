import { sql } from 'kysely'
import { tag, type Database } from '../database.ts'
import { rowsAsTable } from '../dialects/row-sets.ts'
import type { DayHits } from './scan-days.ts'

// Hits that the catalogue had counted and that the scan store no longer has. They are no longer in
// `scan_days`, and stay here until they return, the retention passes their day, or the operator
// accepts the loss. Until then every copy lacks them.

/** A summary of lost hits; the days are days since 1970 (UTC). */
export type LossesSummary = { hits: number; firstDay: number; lastDay: number }

export async function readScanLosses(db: Database): Promise<DayHits[]> {
  return db.kysely
    .selectFrom('scan_losses')
    .select(['writer', 'day', 'hits'])
    .orderBy('day')
    .orderBy('writer')
    .modifyEnd(tag('db.readScanLosses'))
    .execute()
}

/** Returns undefined if nothing is lost. */
export async function summarizeScanLosses(db: Database): Promise<LossesSummary | undefined> {
  const { rows } = await sql<{
    hits: number | null
    firstDay: number
    lastDay: number
  }>`/* db.summarizeScanLosses */
    select cast(sum(hits) as bigint) as hits, min(day) as "firstDay", max(day) as "lastDay"
    from scan_losses`.execute(db.kysely)
  const [found] = rows
  if (found === undefined || found.hits === null) return undefined
  return { ...found, hits: found.hits }
}

/** Adds the hits of days, or takes negative ones out, but never more than there are. */
export async function changeScanLosses(tx: Database, rows: readonly DayHits[]): Promise<void> {
  const changed = rows.filter(({ hits }) => hits !== 0)
  if (changed.length === 0) return
  await sql`/* db.changeScanLosses */
    insert into scan_losses (writer, day, hits)
    select r.writer, r.day, r.hits from ${rowsAsTable(tx, 'scan_losses', changed)} where true
    on conflict (writer, day) do update set hits = scan_losses.hits + excluded.hits`.execute(tx.kysely)
  await tx.kysely
    .deleteFrom('scan_losses')
    .where('hits', '<=', 0)
    .modifyEnd(tag('db.changeScanLosses'))
    .execute()
}

/** Deletes all losses: the operator accepts them, or a restore counts them anew. */
export async function forgetScanLosses(db: Database): Promise<void> {
  await db.kysely.deleteFrom('scan_losses').modifyEnd(tag('db.forgetScanLosses')).execute()
}
