import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import { forNoKeyUpdateSkipLocked, inTransaction, type Database } from '../../db/database.ts'
import { rowsAsTable } from '../../db/dialects/row-sets.ts'
import { findUnindexedOrganization } from '../../db/lists/search-index.ts'
import { searchColumns } from './search-columns.ts'
import { readTags } from './tags.ts'

/** Codes per transaction, which blocks all other writers on SQLite. */
const codesAtOnceMax = 200

/**
 * Computes the search columns of codes where they are out of date: an earlier release, which does
 * not know them, wrote the code. Stops after about `timeMs`, so that the caller can do other work.
 * Returns the number of codes. Any number of workers may do this.
 */
export async function indexQrCodes(
  db: Database,
  { timeMs, codesMax = codesAtOnceMax }: { timeMs: number; codesMax?: number },
): Promise<number> {
  const endMs = performance.now() + timeMs
  for (let indexed = 0; ;) {
    const found = await indexSome(db, codesMax)
    indexed += found
    if (found === 0 || performance.now() >= endMs) return indexed
    // SQLite answers without a turn of the event loop.
    await setImmediate()
  }
}

async function indexSome(db: Database, codesMax: number): Promise<number> {
  const first = await findUnindexedOrganization(db)
  if (first === undefined) return 0
  return inTransaction(db, async (tx) => {
    const rows = await tx.kysely
      .selectFrom('qr_codes')
      .select(['organization_id', 'id', 'name', 'type', 'data', 'version'])
      .where('organization_id', '=', first)
      .where(sql<boolean>`search_version <> version`)
      .orderBy('id')
      .limit(codesMax)
      .modifyEnd(forNoKeyUpdateSkipLocked(tx, 'qr_codes'))
      .execute()
    if (rows.length === 0) return 0
    const tags = await readTags(
      tx,
      first,
      rows.map(({ id }) => id),
    )
    const indexed = rows.map(({ data, ...row }) => ({
      organization_id: row.organization_id,
      id: row.id,
      ...searchColumns({ ...row, data: JSON.parse(data), tags: tags.get(row.id) ?? [] }),
    }))
    await sql`/* catalogue.indexQrCodes */
      update qr_codes
      set name_folded = r.name_folded,
        content_folded = r.content_folded,
        name_order = r.name_order,
        search_version = r.search_version
      from ${rowsAsTable(tx, 'qr_codes', indexed)}
      where qr_codes.organization_id = r.organization_id
      and qr_codes.id = r.id
      and qr_codes.version = r.search_version`.execute(tx.kysely)
    return rows.length
  })
}
