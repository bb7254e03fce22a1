import { tag, type Database } from '../../db/database.ts'
import { readAdminAddresses } from '../organizations/members.ts'

/**
 * Returns the confirmed address of the member who causes a mail, or else of an ADMIN, who answers
 * for it. Undefined if nobody has confirmed an address. Unlike a name, nobody can choose it freely.
 */
export async function readSenderAddress(
  db: Database,
  { organizationId, senderId }: { organizationId: string; senderId: string | null },
): Promise<string | undefined> {
  const sender = await db.kysely
    .selectFrom('members')
    .innerJoin('users', 'users.id', 'members.user_id')
    .select('users.email')
    .where('members.organization_id', '=', organizationId)
    .where('users.id', '=', senderId ?? '')
    .where('users.email_confirmed_at_ms', 'is not', null)
    .modifyEnd(tag('catalogue.readSenderAddress'))
    .executeTakeFirst()
  return sender?.email ?? (await readAdminAddresses(db, organizationId))[0]
}
