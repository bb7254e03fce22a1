import type { Database } from '../../db/database.ts'
import { createId } from '../../ids.ts'

/** Inserts passkeys that nobody can use, for tests of lists and counts. */
export async function insertPasskeys(db: Database, userId: string, count = 1): Promise<void> {
  const values = Array.from({ length: count }, () => {
    const id = createId('psk')
    return {
      id,
      user_id: userId,
      credential_id: id,
      public_key: 'p',
      counter: 0,
      transports: '[]',
      backed_up: 0 as const,
      name: 'Phone',
      created_at_ms: 1,
      last_used_at_ms: null,
    }
  })
  await db.kysely.insertInto('passkeys').values(values).execute()
}
