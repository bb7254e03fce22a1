import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Database } from '../database.ts'
import { settledPosition, type EventPosition } from '../feeds/event-pages.ts'

/**
 * Returns the settled position once it is after all that has been committed: other suites' open
 * transactions on the same PostgreSQL hold it back. Fails after a minute.
 */
export async function positionAfterAll(db: Database): Promise<EventPosition> {
  if (db.dialect === 'sqlite') return settledPosition(db)
  const { rows } = await sql<{ next: string }>`
    select pg_snapshot_xmax(pg_current_snapshot())::text as next`.execute(db.kysely)
  const next = BigInt(rows[0]?.next ?? '0')
  for (const endMs = Date.now() + 60_000; Date.now() < endMs; await sleep(20)) {
    const position = await settledPosition(db)
    if (BigInt(position.version) >= next) return position
  }
  throw new Error('a transaction has been open for a minute')
}
