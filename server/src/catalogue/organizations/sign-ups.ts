import { inTransaction, type Database } from '../../db/database.ts'
import { ApiError } from '../../errors.ts'
import type { ChangeOrigin } from '../rows/change-origins.ts'
import { createOwnOrganization } from './own-organizations.ts'
import { createUser } from '../accounts/users.ts'

/** An account that somebody asked for, with the organization that comes with it. */
export type WantedAccount = {
  email: string
  name: string
  passwordHash: string
  organizationName: string
}

/** Makes an account and its organization. Throws ApiError 409 CONFLICT when the address has one already. */
export async function createAccount(
  db: Database,
  { organizationName, ...wanted }: WantedAccount,
  { from, nowMs }: { from: Omit<ChangeOrigin, 'actor'>; nowMs: number },
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const user = await createUser(tx, { ...wanted, nowMs })
    if (user === undefined)
      throw new ApiError(409, 'CONFLICT', 'This e-mail address has an account already. Sign in.')
    const origin: ChangeOrigin = { ...from, actor: { kind: 'user', id: user.id, name: user.name } }
    await createOwnOrganization(tx, user, { name: organizationName, origin, nowMs })
  })
}
