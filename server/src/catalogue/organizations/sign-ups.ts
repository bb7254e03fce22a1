import { inTransaction, type Database } from '../../db/database.ts'
import { ApiError } from '../../errors.ts'
import type { ChangeOrigin } from '../rows/change-origins.ts'
import { createOwnOrganization } from './own-organizations.ts'
import type { AccountSource } from '../accounts/account-log.ts'
import { createUser } from '../accounts/users.ts'

/** A requested account with its first organization. */
export type RequestedAccount = {
  email: string
  name: string
  passwordHash: string
  organizationName: string
}

/**
 * Creates an account and its organization, and returns the id of the account. Throws ApiError 409
 * CONFLICT if the address has an account already.
 */
export async function createAccount(
  db: Database,
  { organizationName, ...account }: RequestedAccount,
  { from, source, nowMs }: { from: Omit<ChangeOrigin, 'actor'>; source: AccountSource; nowMs: number },
): Promise<string> {
  return inTransaction(db, async (tx) => {
    const user = await createUser(tx, { ...account, source, nowMs })
    if (user === undefined)
      throw new ApiError(409, 'CONFLICT', 'This e-mail address already has an account. Sign in.')
    const origin: ChangeOrigin = { ...from, actor: { kind: 'user', id: user.id, name: user.name } }
    await createOwnOrganization(tx, user, { name: organizationName, origin, nowMs })
    return user.id
  })
}
