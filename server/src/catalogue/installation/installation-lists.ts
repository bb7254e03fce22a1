import type { Role } from '@everscan/contract/schema/common.ts'
import { passkeysOfUser, requiresSecondFactor } from '../accounts/second-factors.ts'
import { tag, type Database } from '../../db/database.ts'
import type { AccountRow } from '../accounts/users.ts'

// These lists span organizations: they are for the operator, and never for a caller of the API.

/** An organization as the operator sees it. */
export type ListedOrganization = {
  id: string
  name: string
  slug: string
  createdAtMs: number
  members: number
}

/** An account with its organizations. */
export type ListedAccount = Omit<AccountRow, 'authenticator' | 'language'> & {
  organizations: readonly { id: string; slug: string; role: Role }[]
}

/** Returns every organization, oldest first. */
export async function listAllOrganizations(db: Database): Promise<ListedOrganization[]> {
  return db.kysely
    .selectFrom('organizations')
    .leftJoin('members', 'members.organization_id', 'organizations.id')
    .select(['organizations.id', 'organizations.name', 'organizations.slug'])
    .select('organizations.created_at_ms as createdAtMs')
    .select((select) => select.fn.count<number>('members.user_id').as('members'))
    .groupBy('organizations.id')
    .orderBy('organizations.id')
    .modifyEnd(tag('catalogue.listAllOrganizations'))
    .execute()
}

/** Returns every account, oldest first. */
export async function listAllAccounts(db: Database): Promise<ListedAccount[]> {
  const accounts = await db.kysely
    .selectFrom('users')
    .leftJoin('two_factors', 'two_factors.user_id', 'users.id')
    .select(['users.id', 'users.email', 'users.name', 'users.created_at_ms as createdAtMs'])
    .select('users.email_confirmed_at_ms as emailConfirmedAtMs')
    .select('two_factors.confirmed_at_ms as twoFactorAtMs')
    .select(passkeysOfUser.as('passkeys'))
    .orderBy('users.id')
    .modifyEnd(tag('catalogue.listAllAccounts'))
    .execute()
  const members = await db.kysely
    .selectFrom('members')
    .innerJoin('organizations', 'organizations.id', 'members.organization_id')
    .select(['organizations.id', 'organizations.slug', 'members.role', 'members.user_id as userId'])
    .orderBy('organizations.id')
    .modifyEnd(tag('catalogue.listAllMembers'))
    .execute()
  const byUser = Map.groupBy(members, ({ userId }) => userId)
  return accounts.map(({ twoFactorAtMs, passkeys, ...account }) => ({
    ...account,
    twoFactor: requiresSecondFactor({ authenticator: twoFactorAtMs !== null, passkeys }),
    organizations: (byUser.get(account.id) ?? []).map(({ id, slug, role }) => ({ id, slug, role })),
  }))
}
