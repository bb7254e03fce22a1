import { tag, type Database } from '../database.ts'
import { isOneOf } from '../dialects/row-sets.ts'

/**
 * Makes reserved short codes free that were handed over to an organization, just before it creates
 * codes with them. The caller inserts their new rows in the same transaction: until then each row
 * stays, so that nothing else can take it.
 */
export async function freeAdoptedCodes(
  tx: Database,
  organizationId: string,
  codeKeys: readonly string[],
): Promise<void> {
  // Only codes on a domain are ever handed over.
  const onDomains = codeKeys.filter((key) => key.includes('/'))
  if (onDomains.length === 0) return
  await tx.kysely
    .deleteFrom('short_codes')
    .where(isOneOf(tx, 'canonical_code', onDomains))
    .where('adopted_by', '=', organizationId)
    .modifyEnd(tag('db.freeAdoptedCodes'))
    .execute()
}
