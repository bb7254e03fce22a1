import { inTransaction, type Database } from '../db/database.ts'
import { ApiError, type ProblemDetail } from '../errors.ts'
import { recordAudit } from './audit-log.ts'
import type { ChangeOrigin } from './change-origins.ts'
import { findInvitation, memberAlready, useInvitation, type InvitationRow } from './invitations.ts'
import { readMember, type MemberRow } from './members.ts'
import { hashPassword } from './passwords.ts'
import { createUser, findUserByEmail, type UserRow } from './users.ts'

export type Acceptance = {
  token: string
  /** Of the account to make; absent for an address that has one. */
  name?: string | undefined
  password?: string | undefined
  /** Where it comes from; who it is, is the account of the invitation. */
  from: Omit<ChangeOrigin, 'actor'>
  nowMs: number
}

/**
 * Makes the account of an invitation's address a member, and the account itself when there is none. Of many calls with one token one
 * succeeds. Undefined: no invitation waits under this token. Throws ApiError 400 when name and password are missing, or are not
 * wanted, and 409 CONFLICT for who is a member already.
 */
export async function acceptInvitation(
  db: Database,
  { token, name, password, from, nowMs }: Acceptance,
): Promise<{ organizationId: string; member: MemberRow } | undefined> {
  const invitation = await findInvitation(db, token, nowMs)
  if (invitation === undefined) return undefined
  const known = await findUserByEmail(db, invitation.email)
  requireWanted({ name, password }, known)
  // Before the transaction: it takes some 30 ms, and nothing else can be written meanwhile on SQLite.
  const passwordHash = password === undefined ? undefined : await hashPassword(password)
  return inTransaction(db, async (tx) => {
    if (!(await useInvitation(tx, invitation, nowMs))) return undefined
    const { email, organizationId } = invitation
    const user = known ?? (await createUser(tx, { email, name: name ?? '', passwordHash, nowMs }))
    if (user === undefined)
      throw new ApiError(409, 'CONFLICT', 'An account of this e-mail address was just made. Try again.')
    return { organizationId, member: await join(tx, invitation, { user, from, nowMs }) }
  })
}

async function join(
  tx: Database,
  invitation: InvitationRow,
  { user, from, nowMs }: { user: UserRow; from: Acceptance['from']; nowMs: number },
): Promise<MemberRow> {
  const { organizationId, role } = invitation
  const { numInsertedOrUpdatedRows } = await tx.kysely
    .insertInto('members')
    .values({ organization_id: organizationId, user_id: user.id, role, created_at_ms: nowMs })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  if (numInsertedOrUpdatedRows === 0n) throw memberAlready()
  const origin: ChangeOrigin = { ...from, actor: { kind: 'user', id: user.id, name: user.name } }
  await recordAudit(tx, organizationId, [
    {
      action: 'invitation.accept',
      target: { id: invitation.id, name: invitation.email },
      origin,
      nowMs,
    },
    { action: 'member.join', target: user, origin, nowMs },
  ])
  const member = await readMember(tx, { organizationId, userId: user.id })
  if (member === undefined) throw new Error(`${user.id} did not become a member`)
  return member
}

/** Nothing is passed over in silence: a password that is given for an account that has one would seem to be the new one. */
function requireWanted(given: { name?: string | undefined; password?: string | undefined }, known?: UserRow) {
  const message =
    known === undefined
      ? 'is required, as this e-mail address has no account'
      : 'must be left out, as this e-mail address has an account'
  const details: ProblemDetail[] = (['name', 'password'] as const)
    .filter((path) => (given[path] === undefined) === (known === undefined))
    .map((path) => ({ path, message }))
  if (details.length === 0) return
  const text = details.map((detail) => `${detail.path}: ${detail.message}`).join('; ')
  throw new ApiError(400, 'VALIDATION_ERROR', text, { details })
}
