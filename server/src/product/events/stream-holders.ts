import { validApiKeys } from '../../catalogue/organizations/api-keys.ts'
import { memberSessions } from '../../catalogue/accounts/sessions.ts'
import type { Database } from '../../db/database.ts'
import type { PlaceHolder } from '../../catalogue/organizations/callers.ts'

/**
 * Returns a function that tells which of these holders may still read: valid keys, and valid
 * sessions whose account is a member.
 */
export async function validHolders(
  db: Database,
  holders: readonly PlaceHolder[],
  nowMs: number,
): Promise<(holder: PlaceHolder) => boolean> {
  const of = (field: 'keyId' | 'sessionId') =>
    holders.flatMap(({ organizationId, [field]: id }) => (id === undefined ? [] : [{ organizationId, id }]))
  const [keys, sessions] = [of('keyId'), of('sessionId')]
  const validKeys = keys.length === 0 ? new Set() : await validApiKeys(db, keys, nowMs)
  const validRows = sessions.length === 0 ? [] : await memberSessions(db, sessions, nowMs)
  const validSessions = new Set(validRows.map(({ organizationId, id }) => `${organizationId} ${id}`))
  return ({ organizationId, keyId, sessionId }) =>
    keyId === undefined ? validSessions.has(`${organizationId} ${sessionId}`) : validKeys.has(keyId)
}
