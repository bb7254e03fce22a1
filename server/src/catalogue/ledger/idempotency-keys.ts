import { tag, type Database } from '../../db/database.ts'

/** On SQLite nobody else writes while these are deleted. */
const keysAtOnceMax = 1_000

/** Forgets the answers to requests with an `Idempotency-Key` that came before a moment. Gives their number. */
export async function forgetIdempotencyKeys(db: Database, beforeMs: number): Promise<number> {
  for (let forgotten = 0; ;) {
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
    forgotten += Number(numDeletedRows)
    if (numDeletedRows < BigInt(keysAtOnceMax)) return forgotten
  }
}
