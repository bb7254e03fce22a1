import type { DashboardLanguage } from '@everscan/contract/schema/dashboard-languages.ts'
import { tag, type Database } from '../../db/database.ts'
import { normalEmail } from './users.ts'

/**
 * Returns the language of mails to the account with an address or an id. Null if there is no such
 * account, or its language is unknown.
 */
export async function readLanguage(
  db: Database,
  account: { email: string } | { id: string | null },
): Promise<DashboardLanguage | null> {
  const found = await db.kysely
    .selectFrom('users')
    .select('language')
    .where((where) =>
      'email' in account ? where('email', '=', normalEmail(account.email)) : where('id', '=', account.id),
    )
    .modifyEnd(tag('catalogue.readLanguage'))
    .executeTakeFirst()
  return found?.language ?? null
}
