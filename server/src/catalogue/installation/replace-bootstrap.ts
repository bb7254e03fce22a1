import { problem } from '@everscan/contract/problems/problem.ts'
import { tag, type Database } from '../../db/database.ts'
import { ApiError } from '../../errors.ts'
import { isEmptyOrganization } from '../imports/archive-imports.ts'
import { markOperator, readOperator } from './operator.ts'

/** Tables whose rows go over to the organization that replaces another one. */
const carried = ['members', 'api_keys', 'invitations', 'audit_log', 'address_checks'] as const

/**
 * Returns the id of the operator's organization if nothing was ever made in this installation: it
 * is the only organization (`besides` another one), no short code was ever assigned, and it has no
 * other content.
 */
export async function untouchedBootstrap(
  db: Database,
  { besides }: { besides?: string } = {},
): Promise<string | undefined> {
  const operator = await readOperator(db)
  if (operator === undefined) return undefined
  const others = await db.kysely
    .selectFrom('organizations')
    .select('id')
    .where('id', 'not in', [operator.id, ...(besides === undefined ? [] : [besides])])
    .limit(1)
    .modifyEnd(tag('catalogue.untouchedBootstrap'))
    .executeTakeFirst()
  const code = await db.kysely
    .selectFrom('short_codes')
    .select('qr_code_id')
    .limit(1)
    .modifyEnd(tag('catalogue.untouchedBootstrap'))
    .executeTakeFirst()
  if (others !== undefined || code !== undefined) return undefined
  return (await isEmptyOrganization(db, operator.id)) ? operator.id : undefined
}

/**
 * Replaces the untouched organization of the first start by another one, which gets this slug if it
 * is free then. Its accounts, keys, audit log and mark as the operator's go over to the other one.
 * Throws ApiError 409 CONFLICT if it is no longer untouched.
 */
export async function replaceOrganization(
  tx: Database,
  from: string,
  { id: to, slug }: { id: string; slug: string },
): Promise<void> {
  if ((await untouchedBootstrap(tx, { besides: to })) !== from)
    throw new ApiError(409, 'CONFLICT', problem('organizationChangedNow'))
  for (const table of carried)
    await tx.kysely
      .updateTable(table)
      .set({ organization_id: to })
      .where('organization_id', '=', from)
      .modifyEnd(tag('catalogue.replaceOrganization'))
      .execute()
  await markOperator(tx, to)
  await tx.kysely
    .deleteFrom('organizations')
    .where('id', '=', from)
    .modifyEnd(tag('catalogue.replaceOrganization'))
    .execute()
  await tx.kysely
    .updateTable('organizations')
    .set({ slug })
    .where('id', '=', to)
    .modifyEnd(tag('catalogue.replaceOrganization'))
    .execute()
}
