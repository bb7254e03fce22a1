import { sql } from 'kysely'
import type { Database } from '../db/database.ts'

/** What waits in the catalogue, of all organizations. */
export type QueueLengths = {
  /** Jobs that are not done. */
  imports: number
  /** Calls of webhooks that are to be made, now or again. */
  webhookDeliveries: number
  /** Pages of events of which no deliveries were made yet. */
  eventPages: number
}

/** How much waits. Each count reads an index that holds nothing but what waits. */
export async function readQueueLengths(db: Database): Promise<QueueLengths> {
  const { rows } = await sql<Record<keyof QueueLengths, number | string>>`/* jobs.readQueueLengths */
    select
      (select count(*) from jobs where kind = 'import' and status in ('PENDING', 'PROCESSING')) as "imports",
      (select count(*) from webhook_deliveries where status = 'PENDING') as "webhookDeliveries",
      (select count(*) from event_pages where fanned_out = 0) as "eventPages"`.execute(db.kysely)
  const [row] = rows
  // PostgreSQL counts in 64 bits, which come as text.
  return {
    imports: Number(row?.imports ?? 0),
    webhookDeliveries: Number(row?.webhookDeliveries ?? 0),
    eventPages: Number(row?.eventPages ?? 0),
  }
}
