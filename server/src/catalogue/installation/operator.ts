import { inTransaction, lockName, tag, type Database } from '../../db/database.ts'
import { recordAudit } from '../ledger/audit-log.ts'
import type { ChangeOrigin } from '../rows/change-origins.ts'

/** The organization of the operator, who runs this installation for the others. */
export type OperatorOrganization = { id: string; name: string; slug: string }

/** Returns the operator's organization, or undefined if no organization is. */
export async function readOperator(db: Database): Promise<OperatorOrganization | undefined> {
  return db.kysely
    .selectFrom('organizations')
    .select(['id', 'name', 'slug'])
    .where('operator', '=', 1)
    .modifyEnd(tag('catalogue.readOperator'))
    .executeTakeFirst()
}

/** Returns the id of the operator's organization, or undefined if no organization is. */
export async function operatorOrganization(db: Database): Promise<string | undefined> {
  return (await readOperator(db))?.id
}

/** Makes an organization the operator's, and no other one. */
export async function markOperator(tx: Database, id: string): Promise<void> {
  await lockName(tx, 'operator')
  await tx.kysely
    .updateTable('organizations')
    .set({ operator: 0 })
    .where('operator', '=', 1)
    .where('id', '<>', id)
    .modifyEnd(tag('catalogue.unmarkOperator'))
    .execute()
  await tx.kysely
    .updateTable('organizations')
    .set({ operator: 1 })
    .where('id', '=', id)
    .modifyEnd(tag('catalogue.markOperator'))
    .execute()
}

/**
 * Changes the operator's organization, with an entry in the audit logs of the one before and the
 * new one. Does nothing if it is the operator's already.
 */
export async function changeOperator(
  db: Database,
  organization: Pick<OperatorOrganization, 'id' | 'name'>,
  { origin, nowMs }: { origin: ChangeOrigin; nowMs: number },
): Promise<void> {
  await inTransaction(db, async (tx) => {
    await lockName(tx, 'operator')
    const before = await readOperator(tx)
    if (before?.id === organization.id) return
    await markOperator(tx, organization.id)
    for (const { id, name } of [...(before === undefined ? [] : [before]), organization])
      await recordAudit(tx, id, [
        { action: 'organization.update', target: { id, name }, fields: ['operator'], origin, nowMs },
      ])
  })
}
