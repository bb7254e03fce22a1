import { sql } from 'kysely'
import { inTransaction, tag, type Database } from '../../db/database.ts'
import { deleteDomainsOf } from '../domains/domains.ts'
import { deleteQrCode } from '../codes/qr-code-deletion.ts'
import type { ChangeOrigin } from '../rows/change-origins.ts'
import { findDemo, lockDemo, removingDemo, saveDemo, type DemoOrganization } from './demo-organizations.ts'

export type DeleteDemoOptions = {
  origin: ChangeOrigin
  clock?: () => number
  /** Called after each transaction with the number of codes that this call has deleted. */
  onProgress?: (codes: number) => void
  /** After an abort, the next call continues. */
  signal?: AbortSignal
}

const codesAtOnce = 100
const rowsAtOnce = 1_000

/** Tables of which an organization may have many rows, with a column that tells its rows apart. */
const large = [
  ['idempotency_keys', 'idempotency_key'],
  ['webhook_deliveries', 'id'],
  ['event_pages', 'id'],
  ['import_row_errors', 'row_number'],
  ['import_chunks', 'chunk'],
  ['moved_codes', 'code_key'],
  ['binned_qr_codes', 'id'],
  ['waiting_qr_codes', 'id'],
  ['waiting_hits', 'number'],
  ['audit_log', 'id'],
] as const

/**
 * Deletes the demo of this installation in many transactions, and returns it with the number of its
 * codes; undefined if there is none. First it loses its members and keys. Then its codes are
 * deleted as by a client: fronts forget them, and their short codes stay assigned for ever. After a
 * kill, the next call continues. Its scans stay in the scan store, in no figure.
 */
export async function deleteDemo(
  db: Database,
  options: DeleteDemoOptions,
): Promise<{ id: string; name: string; codes: number } | undefined> {
  const demo = await findDemo(db)
  if (demo === undefined) return undefined
  await closeDemo(db, demo)
  let codes = 0
  // A request or an import that had begun may still create codes.
  do codes += await deleteCodes(db, demo, { ...options, codesBefore: codes })
  while (!(await deleteRest(db, demo)))
  return { id: demo.id, name: demo.name, codes }
}

/** Takes the organization from its members, keys and readers of events. */
async function closeDemo(db: Database, { id }: DemoOrganization): Promise<void> {
  await inTransaction(db, async (tx) => {
    await lockDemo(tx)
    await saveDemo(tx, id, { plan: removingDemo })
    for (const table of ['members', 'invitations', 'api_keys', 'event_readers'] as const)
      await tx.kysely
        .deleteFrom(table)
        .where('organization_id', '=', id)
        .modifyEnd(tag('catalogue.closeDemo'))
        .execute()
  })
}

async function deleteCodes(
  db: Database,
  { id: organizationId }: DemoOrganization,
  {
    origin,
    clock = Date.now,
    onProgress = () => {},
    signal,
    codesBefore,
  }: DeleteDemoOptions & { codesBefore: number },
): Promise<number> {
  let deleted = 0
  for (;;) {
    const rows = await db.kysely
      .selectFrom('qr_codes')
      .select('id')
      .where('organization_id', '=', organizationId)
      .limit(codesAtOnce)
      .modifyEnd(tag('catalogue.codesOfDemo'))
      .execute()
    if (rows.length === 0) return deleted
    for (const { id } of rows) {
      if (signal?.aborted === true)
        throw new Error('interrupted: the next ./everscan demo remove deletes the rest.')
      const gone = await deleteQrCode(db, { organizationId, id }, { origin, nowMs: clock() })
      if (gone !== undefined) deleted++
      onProgress(codesBefore + deleted)
    }
  }
}

/** Deletes everything else. Returns false if the organization has codes again. */
async function deleteRest(db: Database, { id }: DemoOrganization): Promise<boolean> {
  for (const rows of large) while ((await deleteSome(db, id, rows)) > 0n);
  return await inTransaction(db, async (tx) => {
    await lockDemo(tx)
    const code = await tx.kysely
      .selectFrom('qr_codes')
      .select('id')
      .where('organization_id', '=', id)
      .limit(1)
      .modifyEnd(tag('catalogue.codesOfDemo'))
      .executeTakeFirst()
    if (code !== undefined) return false
    const folders = tx.kysely.deleteFrom('folders').where('organization_id', '=', id)
    await folders.where('parent_id', 'is not', null).modifyEnd(tag('catalogue.deleteDemo')).execute()
    await folders.modifyEnd(tag('catalogue.deleteDemo')).execute()
    await deleteDomainsOf(tx, id)
    // The database deletes the remaining rows of the organization with it.
    await tx.kysely
      .deleteFrom('organizations')
      .where('id', '=', id)
      .where('demo', 'is not', null)
      .modifyEnd(tag('catalogue.deleteDemo'))
      .execute()
    return true
  })
}

/** Deletes about a thousand rows of an organization, and returns their number. */
async function deleteSome(
  db: Database,
  organizationId: string,
  [table, column]: (typeof large)[number],
): Promise<bigint> {
  const { numAffectedRows = 0n } = await sql`/* catalogue.deleteSomeOfDemo */
    delete from ${sql.table(table)}
    where organization_id = ${organizationId}
    and ${sql.ref(column)} in (
      select ${sql.ref(column)} from ${sql.table(table)}
      where organization_id = ${organizationId}
      limit ${rowsAtOnce}
    )`.execute(db.kysely)
  return numAffectedRows
}
