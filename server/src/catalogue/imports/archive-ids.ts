import { sql } from 'kysely'
import { tag, type Database } from '../../db/database.ts'
import { insertRows, isOneOf } from '../../db/dialects/row-sets.ts'
import type { ImportKey } from '../rows/import-row.ts'

/** The id of a record in an archive, and the one that it has here. */
export type ArchivedId = readonly [archived: string, here: string]

const pairsPerPage = 1_000

/** Stores which ids the records of an archive get, in the transaction that starts its import. */
export async function saveArchivedIds(
  tx: Database,
  { organizationId, id }: ImportKey,
  pairs: Iterable<ArchivedId>,
): Promise<void> {
  let page = 0
  let some: ArchivedId[] = []
  const save = () =>
    insertRows(tx, 'archive_ids', {
      rows: [{ organization_id: organizationId, job_id: id, page: page++, pairs: JSON.stringify(some) }],
    })
  for (const pair of pairs) {
    some.push(pair)
    if (some.length < pairsPerPage) continue
    await save()
    some = []
  }
  if (some.length > 0) await save()
}

/** Yields the pages of the ids of an import. None for an import by a release before 0.9. */
export async function* eachArchivedIdPage(
  db: Database,
  { organizationId, id }: ImportKey,
): AsyncGenerator<readonly ArchivedId[], void, undefined> {
  for (let page = 0; ; page++) {
    const row = await db.kysely
      .selectFrom('archive_ids')
      .select('pairs')
      .where('organization_id', '=', organizationId)
      .where('job_id', '=', id)
      .where('page', '=', page)
      .modifyEnd(tag('catalogue.eachArchivedIdPage'))
      .executeTakeFirst()
    if (row === undefined) return
    yield JSON.parse(row.pairs) as ArchivedId[]
  }
}

const idsAtOnce = 10_000

/** The columns that have ids of records, of reserved and binned ones, too. */
const places = [
  ['organizations', 'id'],
  ['short_codes', 'organization_id'],
  ['short_codes', 'qr_code_id'],
  ['folders', 'id'],
  ['styles', 'id'],
  ['domains', 'id'],
  ['utm_templates', 'id'],
  ['views', 'id'],
  ['webhooks', 'id'],
] as const

/** Returns those of these ids that a record of the catalogue has, or ever had if it is a code. */
export async function usedIds(db: Database, ids: readonly string[]): Promise<Set<string>> {
  const used = new Set<string>()
  for (const [table, column] of places)
    for (let from = 0; from < ids.length; from += idsAtOnce) {
      const some = ids.slice(from, from + idsAtOnce)
      const { rows } = await sql<{ used: string }>`/* catalogue.usedIds */
        select distinct ${sql.ref(column)} as used
        from ${sql.table(table)}
        where ${isOneOf(db, column, some)}`.execute(db.kysely)
      for (const row of rows) used.add(row.used)
    }
  return used
}
