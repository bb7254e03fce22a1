import { scopesAllow } from '@everscan/contract/resources/api-keys.ts'
import { tag, type Database } from '../../db/database.ts'
import { passkeysOfUser } from '../accounts/second-factors.ts'
import { scopesOf } from './api-keys.ts'

// This review spans organizations: it is for the operator, and never for a caller of the API.

const dayMs = 86_400_000

/** Credentials with access that an operator should review, by name. */
export type AccessReview = {
  /** Keys that may manage their organization and never expire, as organization/name. */
  endlessAdminKeys: string[]
  /** Valid keys without a use for `unusedDays`. */
  unusedKeys: string[]
  /** ADMINs who sign in with a password alone. */
  adminsWithoutTwoFactor: string[]
  /** Organizations without an ADMIN. */
  withoutAdmin: string[]
  accounts: number
  sessions: number
  /** When the oldest valid session was created. */
  oldestSessionAtMs: number | undefined
}

export async function readAccessReview(
  db: Database,
  { nowMs, unusedDays }: { nowMs: number; unusedDays: number },
): Promise<AccessReview> {
  const keys = await readGoodKeys(db, nowMs)
  const admins = await readAdmins(db)
  const organizations = await db.kysely
    .selectFrom('organizations')
    .select(['id', 'slug'])
    .orderBy('id')
    .modifyEnd(tag('catalogue.readAccessReview'))
    .execute()
  const managed = new Set(admins.map(({ organizationId }) => organizationId))
  const usedSinceMs = nowMs - unusedDays * dayMs
  const sessions = await readSessions(db, nowMs)
  const accounts = await db.kysely
    .selectFrom('users')
    .select((select) => select.fn.countAll<number>().as('count'))
    .modifyEnd(tag('catalogue.readAccessReview'))
    .executeTakeFirst()
  return {
    endlessAdminKeys: keys
      .filter(({ role, expiresAtMs }) => role === 'ADMIN' && expiresAtMs === null)
      .filter(({ scopes }) => scopesAllow(scopesOf(scopes), 'admin'))
      .map(nameOf),
    unusedKeys: keys
      .filter(({ createdAtMs, lastUsedAtMs }) => Math.max(createdAtMs, lastUsedAtMs ?? 0) < usedSinceMs)
      .map(nameOf),
    adminsWithoutTwoFactor: [
      ...new Set(
        admins
          .filter(({ confirmedAtMs, passkeys }) => confirmedAtMs === null && passkeys === 0)
          .map(({ email }) => email),
      ),
    ],
    withoutAdmin: organizations.filter(({ id }) => !managed.has(id)).map(({ slug }) => slug),
    accounts: accounts?.count ?? 0,
    ...sessions,
  }
}

function nameOf({ slug, name }: { slug: string; name: string }): string {
  return `${slug}/${name}`
}

async function readGoodKeys(db: Database, nowMs: number) {
  return await db.kysely
    .selectFrom('api_keys')
    .innerJoin('organizations', 'organizations.id', 'api_keys.organization_id')
    .select(['organizations.slug', 'api_keys.name', 'api_keys.role', 'api_keys.scopes'])
    .select(['api_keys.expires_at_ms as expiresAtMs', 'api_keys.last_used_at_ms as lastUsedAtMs'])
    .select('api_keys.created_at_ms as createdAtMs')
    .where('api_keys.revoked_at_ms', 'is', null)
    .where((where) =>
      where.or([where('api_keys.expires_at_ms', 'is', null), where('api_keys.expires_at_ms', '>', nowMs)]),
    )
    .orderBy('organizations.slug')
    .orderBy('api_keys.id')
    .modifyEnd(tag('catalogue.readAccessReview'))
    .execute()
}

async function readAdmins(db: Database) {
  return await db.kysely
    .selectFrom('members')
    .innerJoin('users', 'users.id', 'members.user_id')
    .leftJoin('two_factors', 'two_factors.user_id', 'users.id')
    .select(['members.organization_id as organizationId', 'users.email'])
    .select('two_factors.confirmed_at_ms as confirmedAtMs')
    .select(passkeysOfUser.as('passkeys'))
    .where('members.role', '=', 'ADMIN')
    .orderBy('users.email')
    .modifyEnd(tag('catalogue.readAccessReview'))
    .execute()
}

async function readSessions(db: Database, nowMs: number) {
  const row = await db.kysely
    .selectFrom('sessions')
    .select((select) => [
      select.fn.countAll<number>().as('count'),
      select.fn.min('created_at_ms').as('oldest'),
    ])
    .where('expires_at_ms', '>', nowMs)
    .modifyEnd(tag('catalogue.readAccessReview'))
    .executeTakeFirst()
  return { sessions: row?.count ?? 0, oldestSessionAtMs: row?.oldest ?? undefined }
}
