import { lockName, tag, type Database } from '../../db/database.ts'
import { operatorOrganization } from './operator.ts'

/** The organization whose codes and scans are made up. */
export type DemoOrganization = {
  id: string
  name: string
  /** The text that `saveDemo` stored, or `removingDemo`. */
  plan: string
}

/** Replaces the plan of a demo whose removal has begun. */
export const removingDemo = 'removing'

/** Serializes what creates and removes the demo of an installation. */
export async function lockDemo(tx: Database): Promise<void> {
  await lockName(tx, 'demo')
}

/** Returns the demo of this installation, or undefined if it has none. */
export async function findDemo(db: Database): Promise<DemoOrganization | undefined> {
  const row = await db.kysely
    .selectFrom('organizations')
    .select(['id', 'name', 'demo as plan'])
    .where('demo', 'is not', null)
    .orderBy('id')
    .limit(1)
    .modifyEnd(tag('catalogue.findDemo'))
    .executeTakeFirst()
  return row === undefined ? undefined : { ...row, plan: row.plan ?? '' }
}

/**
 * Marks an organization as the demo, with the plan of its scans. With `former`, only replaces that
 * plan.
 */
export async function saveDemo(
  db: Database,
  id: string,
  { plan, former }: { plan: string; former?: string },
): Promise<void> {
  await db.kysely
    .updateTable('organizations')
    .set({ demo: plan })
    .where('id', '=', id)
    .$if(former !== undefined, (query) => query.where('demo', '=', former ?? ''))
    .modifyEnd(tag('catalogue.saveDemo'))
    .execute()
}

/**
 * Returns the accounts that run this installation: the ADMINs of the operator's organization, or
 * else the oldest account. Empty if it has no accounts.
 */
export async function listOperators(db: Database): Promise<{ id: string; email: string }[]> {
  const organizationId = await operatorOrganization(db)
  const admins = await db.kysely
    .selectFrom('members')
    .innerJoin('users', 'users.id', 'members.user_id')
    .select(['users.id', 'users.email'])
    .where('members.role', '=', 'ADMIN')
    .where('members.organization_id', '=', organizationId ?? '')
    .orderBy('users.id')
    .modifyEnd(tag('catalogue.listOperators'))
    .execute()
  if (admins.length > 0) return admins
  return await db.kysely
    .selectFrom('users')
    .select(['id', 'email'])
    .orderBy('id')
    .limit(1)
    .modifyEnd(tag('catalogue.oldestAccount'))
    .execute()
}
