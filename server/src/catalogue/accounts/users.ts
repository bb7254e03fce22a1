import type { Role } from '@everscan/contract/schema/common.ts'
import type { DashboardLanguage } from '@everscan/contract/schema/dashboard-languages.ts'
import type { Actor } from '@everscan/contract/resources/actors.ts'
import { inTransaction, lockName, tag, type Database } from '../../db/database.ts'
import { createId } from '../../ids.ts'
import { noSource, recordAccountEntry, type AccountSource } from './account-log.ts'
import { passkeysOfUser, requiresSecondFactor } from './second-factors.ts'

export type UserRow = {
  id: string
  /** Normalized: lower case, without surrounding spaces. */
  email: string
  name: string
  /** A PHC string. Null if the user cannot sign in with a password. */
  passwordHash: string | null
  createdAtMs: number
  /** When somebody proved that mails to the address reach them. Null: nobody did. */
  emailConfirmedAtMs: number | null
  /** Of mails to the account. Null until its user opens the dashboard. */
  language: DashboardLanguage | null
}

export type NewUser = {
  email: string
  name: string
  passwordHash?: string | undefined
  nowMs?: number
  /** The operator, if the owner does not create the account. */
  actor?: Actor | undefined
  source?: AccountSource
  /** Whether the person who creates the account proved the address. */
  isConfirmed?: boolean
  language?: DashboardLanguage | undefined
}

const columns = [
  'id',
  'email',
  'name',
  'password_hash as passwordHash',
  'created_at_ms as createdAtMs',
  'email_confirmed_at_ms as emailConfirmedAtMs',
  'language',
] as const

/**
 * Creates an account, with the first entry of its log. Returns undefined if the address already has
 * an account.
 */
export async function createUser(db: Database, input: NewUser): Promise<UserRow | undefined> {
  const { email, name, passwordHash = null, nowMs = Date.now(), actor, source = noSource } = input
  const { isConfirmed = false, language = null } = input
  return inTransaction(db, async (tx) => {
    const user = await tx.kysely
      .insertInto('users')
      .values({
        id: createId('usr'),
        email: normalEmail(email),
        name,
        password_hash: passwordHash,
        created_at_ms: nowMs,
        email_confirmed_at_ms: isConfirmed ? nowMs : null,
        language,
      })
      .onConflict((conflict) => conflict.column('email').doNothing())
      .returning(columns)
      .executeTakeFirst()
    if (user === undefined) return undefined
    await recordAccountEntry(tx, user.id, { action: 'account.create', actor, source, nowMs })
    return user
  })
}

/** Returns the account with this address, or undefined. */
export async function findUserByEmail(db: Database, email: string): Promise<UserRow | undefined> {
  return db.kysely
    .selectFrom('users')
    .select(columns)
    .where('email', '=', normalEmail(email))
    .modifyEnd(tag('catalogue.findUserByEmail'))
    .executeTakeFirst()
}

/** An account as its owner sees it. */
export type AccountRow = Omit<UserRow, 'passwordHash'> & {
  /** Whether sign-in with the password requires a second factor. */
  twoFactor: boolean
  authenticator: boolean
}

/** Returns the account with this id, or undefined. */
export async function readAccount(db: Database, id: string): Promise<AccountRow | undefined> {
  const row = await db.kysely
    .selectFrom('users')
    .leftJoin('two_factors', 'two_factors.user_id', 'users.id')
    .select(['users.id', 'users.email', 'users.name', 'users.created_at_ms as createdAtMs'])
    .select(['users.email_confirmed_at_ms as emailConfirmedAtMs', 'users.language'])
    .select('two_factors.confirmed_at_ms as twoFactorAtMs')
    .select(passkeysOfUser.as('passkeys'))
    .where('users.id', '=', id)
    .modifyEnd(tag('catalogue.readAccount'))
    .executeTakeFirst()
  if (row === undefined) return undefined
  const { twoFactorAtMs, passkeys, ...account } = row
  const authenticator = twoFactorAtMs !== null
  return { ...account, authenticator, twoFactor: requiresSecondFactor({ authenticator, passkeys }) }
}

/** Changes the given fields of an account, one at least. */
export async function updateUser(
  db: Database,
  id: string,
  { name, language }: { name?: string | undefined; language?: DashboardLanguage | undefined },
): Promise<void> {
  await db.kysely
    .updateTable('users')
    .set({ ...(name !== undefined && { name }), ...(language !== undefined && { language }) })
    .where('id', '=', id)
    .modifyEnd(tag('catalogue.updateUser'))
    .execute()
}

/** Serializes changes to how an account signs in. */
export async function lockAccount(tx: Database, userId: string): Promise<void> {
  await lockName(tx, `account ${userId}`)
}

/** Adds an account to an organization, or changes the role of the member. */
export async function saveMember(
  db: Database,
  organizationId: string,
  { userId, role, nowMs = Date.now() }: { userId: string; role: Role; nowMs?: number },
): Promise<void> {
  await db.kysely
    .insertInto('members')
    .values({ organization_id: organizationId, user_id: userId, role, created_at_ms: nowMs })
    .onConflict((conflict) => conflict.columns(['organization_id', 'user_id']).doUpdateSet({ role }))
    .execute()
}

/** Normalizes an address for comparison. */
export function normalEmail(email: string): string {
  return email.trim().normalize('NFC').toLowerCase()
}
