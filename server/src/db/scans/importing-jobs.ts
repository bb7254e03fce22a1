import { tag, type Database } from '../database.ts'
import { isOneOf } from '../dialects/row-sets.ts'

/** Returns which of these ids are jobs that have not ended. */
export async function unfinishedJobs(db: Database, ids: readonly string[]): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set()
  const rows = await db.kysely
    .selectFrom('jobs')
    .select('id')
    .where(isOneOf(db, 'id', ids))
    .where('status', 'in', ['PENDING', 'PROCESSING'])
    .modifyEnd(tag('db.unfinishedJobs'))
    .execute()
  return new Set(rows.map(({ id }) => id))
}
