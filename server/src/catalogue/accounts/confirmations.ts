import { inTransaction, type Database } from '../../db/database.ts'
import type { SecretBox } from '../../secret-box.ts'
import { recordAccountEntry } from './account-log.ts'
import { noteConfirmation } from './sessions.ts'
import { useSecondFactor, type GivenFactor } from './two-factor.ts'
import { lockAccount } from './users.ts'

/**
 * Confirms a session with a second factor, which is used up. Returns false if the factor is wrong
 * or was used before.
 */
export async function confirmSession(
  db: Database,
  box: SecretBox,
  { sessionId, ...factor }: GivenFactor & { sessionId: string },
): Promise<boolean> {
  const { userId, code, passkey, source, nowMs } = factor
  return inTransaction(db, async (tx) => {
    await lockAccount(tx, userId)
    if (!(await useSecondFactor(tx, box, factor))) return false
    if (code === undefined && passkey === undefined)
      await recordAccountEntry(tx, userId, { action: 'recovery-code.use', source, nowMs })
    await noteConfirmation(tx, { userId, sessionId }, nowMs)
    return true
  })
}
