import { problem } from '@everscan/contract/problems/problem.ts'
import type { DashboardLanguage } from '@everscan/contract/schema/dashboard-languages.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import { inTransaction, type Database } from '../../db/database.ts'
import { ApiError } from '../../errors.ts'
import type { ChangeOrigin } from '../rows/change-origins.ts'
import { listOrganizationsOfUser } from './organizations.ts'
import { createOwnOrganization } from './own-organizations.ts'
import type { AccountSource } from '../accounts/account-log.ts'
import { takeOverAccount } from '../accounts/email-confirmation.ts'
import { createUser, findUserByEmail } from '../accounts/users.ts'

/** A requested account with its first organization. */
export type RequestedAccount = {
  email: string
  name: string
  passwordHash: string
  organizationName: string
  /** Whether the person proved the address. */
  isConfirmed: boolean
  /** Of mails to the account; undefined if the person chose none that we have. */
  language: DashboardLanguage | undefined
}

/**
 * Creates an account and its organization, and returns the id of the account. A proven address
 * takes over its account if nobody had confirmed it. Throws ApiError 409 CONFLICT if the address
 * has an account that cannot be taken over.
 */
export async function createAccount(
  db: Database,
  { organizationName, ...account }: RequestedAccount,
  { from, source, nowMs }: { from: Omit<ChangeOrigin, 'actor'>; source: AccountSource; nowMs: number },
): Promise<{ accountId: string; action: 'account.create' | 'account.take-over' }> {
  return inTransaction(db, async (tx) => {
    const user = await createUser(tx, { ...account, source, nowMs })
    const taken = user === undefined ? await takeOver(tx, account, { source, nowMs }) : undefined
    const owner = user ?? taken
    if (owner === undefined) throw new ApiError(409, 'CONFLICT', problem('addressHasAccount'))
    const origin: ChangeOrigin = { ...from, actor: { kind: 'user', id: owner.id, name: owner.name } }
    if (user !== undefined || (await mayOwnMore(tx, owner.id)))
      await createOwnOrganization(tx, owner, { name: organizationName, origin, nowMs })
    return { accountId: owner.id, action: user === undefined ? 'account.take-over' : 'account.create' }
  })
}

async function takeOver(
  tx: Database,
  { email, name, passwordHash, isConfirmed, language }: Omit<RequestedAccount, 'organizationName'>,
  by: { source: AccountSource; nowMs: number },
): Promise<{ id: string; name: string } | undefined> {
  const known = isConfirmed ? await findUserByEmail(tx, email) : undefined
  if (known === undefined) return undefined
  const isTaken = await takeOverAccount(tx, known.id, { name, passwordHash, language, ...by })
  return isTaken ? { id: known.id, name } : undefined
}

/** The person who had the account before must not prevent a takeover with organizations. */
async function mayOwnMore(tx: Database, userId: string): Promise<boolean> {
  const mine = await listOrganizationsOfUser(tx, userId)
  return mine.filter(({ role }) => role === 'ADMIN').length < limits.ownOrganizationsMax
}
