import type { Role } from '@everscan/contract/schema/common.ts'
import { lockName, tag, type Database } from '../../db/database.ts'
import { createId } from '../../ids.ts'

export type UserRow = {
  id: string
  /** As it is compared: lower case, without spaces around it. */
  email: string
  name: string
  /** PHC string; null: cannot sign in with a password. */
  passwordHash: string | null
  createdAtMs: number
}

export type NewUser = {
  email: string
  name: string
  passwordHash?: string | undefined
  nowMs?: number
}

const columns = [
  'id',
  'email',
  'name',
  'password_hash as passwordHash',
  'created_at_ms as createdAtMs',
] as const

/** Makes an account; undefined: the address has one already. */
export async function createUser(db: Database, input: NewUser): Promise<UserRow | undefined> {
  return db.kysely
    .insertInto('users')
    .values({
      id: createId('usr'),
      email: normalEmail(input.email),
      name: input.name,
      password_hash: input.passwordHash ?? null,
      created_at_ms: input.nowMs ?? Date.now(),
    })
    .onConflict((conflict) => conflict.column('email').doNothing())
    .returning(columns)
    .executeTakeFirst()
}

/** Undefined: no account with that address. */
export async function findUserByEmail(db: Database, email: string): Promise<UserRow | undefined> {
  return db.kysely
    .selectFrom('users')
    .select(columns)
    .where('email', '=', normalEmail(email))
    .modifyEnd(tag('catalogue.findUserByEmail'))
    .executeTakeFirst()
}

/** The account itself, as its owner sees it. */
export type AccountRow = Omit<UserRow, 'passwordHash'> & { twoFactor: boolean }

/** Undefined: no such account. */
export async function readAccount(db: Database, id: string): Promise<AccountRow | undefined> {
  const row = await db.kysely
    .selectFrom('users')
    .leftJoin('two_factors', 'two_factors.user_id', 'users.id')
    .select(['users.id', 'users.email', 'users.name', 'users.created_at_ms as createdAtMs'])
    .select('two_factors.confirmed_at_ms as twoFactorAtMs')
    .where('users.id', '=', id)
    .modifyEnd(tag('catalogue.readAccount'))
    .executeTakeFirst()
  if (row === undefined) return undefined
  const { twoFactorAtMs, ...account } = row
  return { ...account, twoFactor: twoFactorAtMs !== null }
}

/** Gives an account another name. */
export async function renameUser(db: Database, id: string, name: string): Promise<void> {
  await db.kysely
    .updateTable('users')
    .set({ name })
    .where('id', '=', id)
    .modifyEnd(tag('catalogue.renameUser'))
    .execute()
}

/** Changes of how an account signs in take turns. */
export async function lockAccount(tx: Database, userId: string): Promise<void> {
  await lockName(tx, `account ${userId}`)
}

/** Makes an account a member of an organization, or gives the member another role. */
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

/** An address as it is compared. */
export function normalEmail(email: string): string {
  return email.trim().normalize('NFC').toLowerCase()
}
