import { sql } from 'kysely'
import { tag, type Database } from '../db/database.ts'
import { importKinds } from './queue-lengths.ts'

/** Overdue work of all organizations, and webhooks that do not work. */
export type LateWork = {
  /** Imports, moves and archives that no worker has worked on for this long. */
  imports: number
  /** Webhook calls that should have been made this long ago. */
  deliveries: number
  /** Codes whose opening, end or full limit should have become an event this long ago. */
  accessEvents: number
  webhooks: { url: string; isDisabled: boolean; reason: string | null; failuresInARow: number }[]
}

/** Reads the overdue work. `lateMs`: how long work may be due before it counts as overdue. */
export async function readLateWork(
  db: Database,
  { nowMs, lateMs }: { nowMs: number; lateMs: number },
): Promise<LateWork> {
  const beforeMs = nowMs - lateMs
  const { rows } = await sql<
    Record<'imports' | 'deliveries' | 'accessEvents', number | string>
  >`/* jobs.readLateWork */
    select
      (
        select count(*)
        from jobs
        where kind in (${sql.join(importKinds)}) and status in ('PENDING', 'PROCESSING')
        and run_at_ms < ${beforeMs} and coalesce(lease_until_ms, 0) < ${beforeMs} and updated_at_ms < ${beforeMs}
      ) as "imports",
      (
        select count(*)
        from webhook_deliveries
        where status = 'PENDING' and run_at_ms < ${beforeMs} and coalesce(lease_until_ms, 0) < ${beforeMs}
      ) as "deliveries",
      (select count(*) from access_moments where at_ms < ${beforeMs})
      + (select count(*) from scan_limits where full_at_ms < ${beforeMs} and full_told = 0) as "accessEvents"`.execute(
    db.kysely,
  )
  const webhooks = await db.kysely
    .selectFrom('webhooks')
    .select(['url', 'status', 'disabled_reason as reason', 'failures_in_a_row as failuresInARow'])
    .where((where) => where.or([where('status', '=', 'DISABLED'), where('failures_in_a_row', '>', 0)]))
    .orderBy('url')
    .modifyEnd(tag('jobs.readLateWork'))
    .execute()
  return {
    imports: Number(rows[0]?.imports ?? 0),
    deliveries: Number(rows[0]?.deliveries ?? 0),
    accessEvents: Number(rows[0]?.accessEvents ?? 0),
    webhooks: webhooks.map(({ status, ...webhook }) => ({ ...webhook, isDisabled: status === 'DISABLED' })),
  }
}
