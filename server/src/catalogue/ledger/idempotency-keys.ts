import { tag, type Database } from '../../db/database.ts'

/** The batch size: on SQLite, this deletion blocks all other writers. */
const keysAtOnceMax = 1_000

/**
 * Deletes the stored responses to requests with an `Idempotency-Key` from before this time. Returns
 * their number.
 */
export async function forgetIdempotencyKeys(db: Database, beforeMs: number): Promise<number> {
  for (let deleted = 0; ;) {
    const { numDeletedRows } = await db.kysely
      .deleteFrom('idempotency_keys')
      .where('created_at_ms', '<', beforeMs)
      .where((where) =>
        where(
          where.refTuple('organization_id', 'idempotency_key'),
          'in',
          where
            .selectFrom('idempotency_keys')
            .select(['organization_id', 'idempotency_key'])
            .where('created_at_ms', '<', beforeMs)
            .orderBy('created_at_ms')
            .limit(keysAtOnceMax)
            .$asTuple('organization_id', 'idempotency_key'),
        ),
      )
      .modifyEnd(tag('catalogue.forgetIdempotencyKeys'))
      .executeTakeFirst()
    deleted += Number(numDeletedRows)
    if (numDeletedRows < BigInt(keysAtOnceMax)) return deleted
  }
}
