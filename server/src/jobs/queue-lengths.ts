import { sql } from 'kysely'
import type { Database } from '../db/database.ts'

/** Jobs that bring codes: files, moves and archives. Others follow from them. */
export const importKinds = ['import', 'move', 'archive'] as const

/** The work of all organizations that waits in the catalogue. */
export type QueueLengths = {
  /** Imports that are not done, also moves and archives. */
  imports: number
  /** Webhook calls that are still to be made, for the first time or again. */
  webhookDeliveries: number
  /** Pages of events for which no deliveries were created yet. */
  eventPages: number
}

/** Counts the waiting work. Each count reads an index that contains only waiting work. */
export async function readQueueLengths(db: Database): Promise<QueueLengths> {
  const { rows } = await sql<Record<keyof QueueLengths, number | string>>`/* jobs.readQueueLengths */
    select
      (select count(*) from jobs where kind in (${sql.join(importKinds)}) and status in ('PENDING', 'PROCESSING')) as "imports",
      (select count(*) from webhook_deliveries where status = 'PENDING') as "webhookDeliveries",
      (select count(*) from event_pages where fanned_out = 0) as "eventPages"`.execute(db.kysely)
  const [row] = rows
  // PostgreSQL counts in 64 bits, which arrive as text.
  return {
    imports: Number(row?.imports ?? 0),
    webhookDeliveries: Number(row?.webhookDeliveries ?? 0),
    eventPages: Number(row?.eventPages ?? 0),
  }
}
